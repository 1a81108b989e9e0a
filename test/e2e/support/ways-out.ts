/** Where the ways of this file lead: a listener of the test, and a name that only a DNS server would know. */
export interface Target {
  /** `127.0.0.1:port` */
  readonly host: string;
  readonly url: string;
  readonly name: string;
}

/** Elements that load something by being in the page. `URL` stands for the target's, `HOST` for its host, `NAME` for the name. */
export const ELEMENTS: Readonly<Record<string, string>> = {
  img: '<img src="URL">',
  'img srcset': '<img srcset="URL 1x">',
  picture: '<picture><source srcset="URL"><img></picture>',
  'img of a file server': '<img src="file://HOST/share/x.png">',
  'body background': '<table background="URL"><tr><td>',
  'input image': '<input type="image" src="URL">',
  video: '<video src="URL" autoplay></video>',
  'video poster': '<video poster="URL"></video>',
  audio: '<audio src="URL" autoplay></audio>',
  track: '<video src="data:video/mp4,"><track default src="URL"></video>',
  iframe: '<iframe src="URL"></iframe>',
  'iframe srcdoc': '<iframe srcdoc="<img src=URL><script src=URL></script>"></iframe>',
  'iframe data': '<iframe src="data:text/html,<img src=URL>"></iframe>',
  'sandboxed iframe': '<iframe sandbox="allow-scripts" srcdoc="<link rel=stylesheet href=URL>"></iframe>',
  fencedframe: '<fencedframe src="URL"></fencedframe>',
  object: '<object data="URL"></object>',
  embed: '<embed src="URL">',
  webview: '<webview src="URL"></webview>',
  script: '<script src="URL"></script>',
  'script module': '<script type="module" src="URL"></script>',
  'script import': '<script type="module">import "URL";</script>',
  'speculation rules': '<script type="speculationrules">{"prefetch":[{"urls":["URL"]}],"prerender":[{"urls":["URL"]}]}</script>',
  ...Object.fromEntries(
    [
      'stylesheet',
      'preload" as="image',
      'preload" as="font" crossorigin="',
      'prefetch',
      'prerender',
      'preconnect',
      'dns-prefetch',
      'modulepreload',
    ]
      .concat([
        'icon',
        'apple-touch-icon',
        'manifest',
        'manifest" crossorigin="use-credentials',
        'search',
        'import',
        'compression-dictionary',
      ])
      .map((rel) => [`link ${rel.replaceAll('"', '')}`, `<link rel="${rel}" href="URL">`]),
  ),
  'link of a name': '<link rel="dns-prefetch" href="//NAME"><link rel="preconnect" href="https://NAME">',
  'style import': '<style>@import "URL"; @import url(URL);</style>',
  'style background': '<style>body { background-image: url(URL); cursor: url(URL), auto; } </style>',
  'style attribute':
    '<p style="list-style-image: url(URL); border-image: url(URL); content: image-set(\'URL\' 1x); display: list-item">x</p>',
  'style font': '<style>@font-face { font-family: leak; src: url(URL); } #leak { font-family: leak; }</style><p id="leak">x</p>',
  'style filter': '<p style="filter: url(URL#a); mask: url(URL#a); clip-path: url(URL#a)">x</p>',
  'svg image': '<svg><image href="URL"/><use href="URL#a"/><filter id="f"><feImage href="URL"/></filter><rect filter="url(#f)"/></svg>',
  'svg script': '<svg><script href="URL"/></svg>',
  mathml: '<math href="URL"><mi>x</mi></math>',
  'meta refresh': '<meta http-equiv="refresh" content="0; url=URL">',
  'meta policy': '<meta http-equiv="Content-Security-Policy" content="img-src \'none\'; report-uri URL">',
  base: '<base href="URL"><img src="relative.png">',
};

type Way = (to: Target) => unknown;

/** Scripts of a page that try to send something. Each runs in the page, and may give a promise that settles when there is no more to wait for. */
export const SCRIPTS: Readonly<Record<string, Way>> = {
  fetch: ({ url }) => fetch(url, { method: 'POST', body: 'leak' }),
  'fetch without cors': ({ url }) => fetch(url, { method: 'POST', body: 'leak', mode: 'no-cors', keepalive: true }),
  'fetch of our origin with a port': ({ host }) => fetch(`app://sluicebox:${host.split(':')[1]}/index.html`),
  XMLHttpRequest: ({ url }) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.send('leak');
  },
  sendBeacon: ({ url }) => navigator.sendBeacon(url, 'leak'),
  fetchLater: ({ url }) =>
    (window as unknown as { fetchLater(url: string, options: object): unknown }).fetchLater(url, { activateAfter: 0 }),
  WebSocket: ({ host }) => [new WebSocket(`ws://${host}/`), new WebSocket(`wss://${host}/`)],
  WebSocketStream: ({ host }) =>
    new (window as unknown as { WebSocketStream: new (url: string) => unknown }).WebSocketStream(`ws://${host}/`),
  EventSource: ({ url }) => new EventSource(url),
  WebTransport: ({ host }) => new WebTransport(`https://${host}/`).ready,
  'new Image': ({ url }) => (new Image().src = url),
  'new Audio': ({ url }) => new Audio(url).play(),
  FontFace: ({ url }) => new FontFace('leak', `url(${url})`).load(),
  'import()': ({ url }) => import(url),
  Worker: ({ url }) => new Worker(url),
  'Worker of a blob': ({ url }) => new Worker(URL.createObjectURL(new Blob([`fetch('${url}')`]))),
  'Worker of data': ({ url }) => new Worker(`data:text/javascript,importScripts('${url}')`),
  SharedWorker: ({ url }) => new SharedWorker(url),
  'SharedWorker of a blob': ({ url }) => new SharedWorker(URL.createObjectURL(new Blob([`fetch('${url}')`]))),
  'service worker': () => navigator.serviceWorker.register('app://sluicebox/index.js'),
  'service worker from elsewhere': ({ url }) => navigator.serviceWorker.register(url),
  'audio worklet': ({ url }) => new AudioContext().audioWorklet.addModule(url),
  'paint worklet': ({ url }) => (CSS as unknown as { paintWorklet: { addModule(url: string): unknown } }).paintWorklet.addModule(url),
  XSLT: ({ url }) => {
    const sheet = `<x:stylesheet version="1.0" xmlns:x="http://www.w3.org/1999/XSL/Transform"><x:import href="${url}"/></x:stylesheet>`;
    new XSLTProcessor().importStylesheet(new DOMParser().parseFromString(sheet, 'text/xml'));
  },
  'media session': ({ url }) => (navigator.mediaSession.metadata = new MediaMetadata({ title: 'x', artwork: [{ src: url }] })),
  notification: async ({ url }) => {
    await Notification.requestPermission();
    new Notification('x', { icon: url });
  },
  payment: ({ url }) =>
    new PaymentRequest([{ supportedMethods: url }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).show(),
  'federated login': ({ url }) =>
    navigator.credentials.get({ identity: { providers: [{ configURL: url, clientId: 'x' }] } } as CredentialRequestOptions),
  passkey: ({ name }) => navigator.credentials.get({ publicKey: { challenge: new Uint8Array(16), rpId: name, timeout: 100 } }),
  presentation: ({ url }) =>
    new (window as unknown as { PresentationRequest: new (urls: string[]) => { start(): unknown } }).PresentationRequest([url]).start(),
  'speech recognition': () =>
    new (window as unknown as { webkitSpeechRecognition: new () => { start(): void } }).webkitSpeechRecognition().start(),
  'speech synthesis': ({ url }) => speechSynthesis.speak(new SpeechSynthesisUtterance(url)),
  'protocol handler': ({ url }) => navigator.registerProtocolHandler('web+leak', `${url}?%s`),
  'background fetch': async ({ url }) =>
    (
      (await navigator.serviceWorker.ready) as unknown as { backgroundFetch: { fetch(id: string, url: string): unknown } }
    ).backgroundFetch.fetch('x', url),
  form: ({ url }) => {
    document.body.insertAdjacentHTML('beforeend', `<form action="${url}" method="post"><input name="a" value="leak"></form>`);
    (document.body.lastElementChild as HTMLFormElement).submit();
  },
  'form in a new window': ({ url }) => {
    document.body.insertAdjacentHTML('beforeend', `<form action="${url}" target="_blank"><input name="a" value="leak"></form>`);
    (document.body.lastElementChild as HTMLFormElement).requestSubmit();
  },
  'form in a frame': ({ url }) => {
    document.body.insertAdjacentHTML('beforeend', `<iframe name="inner"></iframe><form action="${url}" target="inner"></form>`);
    (document.body.lastElementChild as HTMLFormElement).submit();
  },
  link: ({ url }) => {
    document.body.insertAdjacentHTML('beforeend', `<a href="${url}" ping="${url}">x</a>`);
    (document.body.lastElementChild as HTMLAnchorElement).click();
  },
  'link to a new window': ({ url }) => {
    document.body.insertAdjacentHTML('beforeend', `<a href="${url.replace('http:', 'https:')}" target="_blank" ping="${url}">x</a>`);
    (document.body.lastElementChild as HTMLAnchorElement).click();
  },
  'link with ping': ({ url }) => {
    document.body.insertAdjacentHTML('beforeend', `<a href="#here" ping="${url}">x</a>`);
    (document.body.lastElementChild as HTMLAnchorElement).click();
  },
  download: ({ url }) => {
    document.body.insertAdjacentHTML('beforeend', `<a href="${url}" download="x">x</a>`);
    (document.body.lastElementChild as HTMLAnchorElement).click();
  },
  'window.open': ({ url }) => [window.open(url), window.open(url.replace('http:', 'https:')), window.open('about:blank')],
  location: ({ url }) => location.assign(url),
  'location of a frame': ({ url }) => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.contentWindow?.location.assign(url);
  },
  'document.write': ({ url }) => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.contentDocument?.write(`<img src="${url}"><script src="${url}"></script>`);
  },
  'other programs': ({ host }) => {
    for (const scheme of ['mailto', 'tel', 'ssh', 'sms', 'vscode', 'x-leak']) {
      document.body.insertAdjacentHTML('beforeend', `<a href="${scheme}:leak@${host}">x</a><iframe src="${scheme}:leak@${host}"></iframe>`);
      (document.body.lastElementChild?.previousElementSibling as HTMLAnchorElement).click();
    }
  },
};

const SERVERS: Readonly<Record<string, readonly string[]>> = {
  STUN: ['stun:HOST', 'stun:NAME'],
  'TURN over UDP': ['turn:HOST?transport=udp', 'turn:NAME?transport=udp', 'turn:leak.localhost:PORT?transport=udp'],
  'TURN over TCP': ['turn:HOST?transport=tcp', 'turn:NAME?transport=tcp', 'turn:leak.localhost:PORT?transport=tcp'],
  'TURN over TLS': ['turns:HOST?transport=tcp', 'turns:NAME?transport=tcp'],
};

/** Servers of WebRTC, for `gather`. */
export function rtcServers({ host, name }: Target): [how: string, urls: string[]][] {
  const [, port = ''] = host.split(':');
  const fill = (url: string): string => url.replace('HOST', host).replace('NAME', name).replace('PORT', port);
  return Object.entries(SERVERS).map(([how, urls]) => [how, urls.map(fill)]);
}

/** Gathers candidates with these servers and sends to a remote one at the target, in the page or in an empty frame of it; gives what was found. */
export async function gather({ urls, host, framed }: { urls: string[]; host: string; framed: boolean }): Promise<string[]> {
  const frame = framed ? document.body.appendChild(document.createElement('iframe')).contentWindow : null;
  const Connection = (frame as typeof window | null)?.RTCPeerConnection ?? RTCPeerConnection;
  const [mine, other] = [new Connection({ iceServers: [{ urls, username: 'leak', credential: 'leak' }] }), new Connection()];
  const found: string[] = [];
  const gathered = new Promise<void>((done) => {
    mine.addEventListener('icecandidate', ({ candidate }) => (candidate === null ? done() : found.push(candidate.candidate)));
  });
  mine.createDataChannel('leak');
  const offer = await mine.createOffer();
  await mine.setLocalDescription(offer);
  await other.setRemoteDescription(offer);
  await other.setLocalDescription(await other.createAnswer());
  await mine.setRemoteDescription(other.localDescription as RTCSessionDescription);
  const [address, port] = host.split(':');
  for (const kind of ['udp 1 ADDRESS typ host', 'tcp 1 ADDRESS typ host tcptype passive']) {
    const candidate = `candidate:1 1 ${kind.replace('ADDRESS', `${address} ${port}`)}`;
    await mine.addIceCandidate({ sdpMid: '0', candidate });
  }
  // Without the measures that are tested here a silent TCP server keeps the gathering open for longer.
  await Promise.race([gathered, new Promise((late) => setTimeout(late, 3000))]);
  return found;
}
