import { svelte } from '@sveltejs/vite-plugin-svelte';
import { createServer } from 'vite';

// Serves dev.html: the window on generated data, in any browser. Run with: node renderer/dev/serve.ts
const server = await createServer({
  configFile: false,
  root: new URL('..', import.meta.url).pathname,
  plugins: [svelte({ configFile: new URL('../../svelte.config.js', import.meta.url).pathname })],
  server: { port: 5199, strictPort: true, hmr: false },
});
await server.listen();
server.printUrls();
