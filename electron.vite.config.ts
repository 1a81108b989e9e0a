import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';

const root = import.meta.dirname;
const bundleEngine = (): void =>
  void execFileSync(process.execPath, [resolve(root, 'scripts/lib/bundle-command.mjs'), 'engine'], { stdio: 'inherit' });

export default defineConfig({
  main: {
    plugins: [{ name: 'engine-bundle', apply: 'build', closeBundle: bundleEngine }],
    build: {
      outDir: 'out/main',
      // Only Electron and Node come from outside: the package of the shell needs no node_modules of its own.
      externalizeDeps: false,
      rollupOptions: {
        input: { index: resolve(root, 'electron/main/index.ts') },
        output: { format: 'es', entryFileNames: '[name].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      externalizeDeps: false,
      rollupOptions: {
        input: { index: resolve(root, 'electron/preload/index.ts') },
        // A sandboxed preload is loaded as CommonJS.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(root, 'renderer'),
    plugins: [svelte({ configFile: resolve(root, 'svelte.config.js') })],
    build: {
      outDir: resolve(root, 'out/renderer'),
      // A third of the text to read and to hold.
      minify: true,
      rollupOptions: { input: { index: resolve(root, 'renderer/index.html') } },
    },
  },
});
