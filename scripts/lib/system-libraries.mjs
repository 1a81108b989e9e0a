import { existsSync, readdirSync } from 'node:fs';
import { askYesNo, installationWay } from './consent.mjs';
import { say, SetupError } from './report.mjs';
import { run, tail } from './run.mjs';

/**
 * Libraries that Electron loads from the system, and their packages. `debian` lists the package's names, newest first: releases since
 * Ubuntu 24.04 and Debian 13 have renamed some of them for 64-bit time.
 * @type {readonly { library: string, debian: string[], fedora: string, arch: string }[]}
 */
const LIBRARIES = [
  { library: 'libgtk-3.so.0', debian: ['libgtk-3-0t64', 'libgtk-3-0'], fedora: 'gtk3', arch: 'gtk3' },
  { library: 'libnss3.so', debian: ['libnss3'], fedora: 'nss', arch: 'nss' },
  { library: 'libasound.so.2', debian: ['libasound2t64', 'libasound2'], fedora: 'alsa-lib', arch: 'alsa-lib' },
  { library: 'libgbm.so.1', debian: ['libgbm1'], fedora: 'mesa-libgbm', arch: 'mesa' },
  { library: 'libXss.so.1', debian: ['libxss1'], fedora: 'libXScrnSaver', arch: 'libxss' },
  {
    library: 'libatk-bridge-2.0.so.0',
    debian: ['libatk-bridge2.0-0t64', 'libatk-bridge2.0-0'],
    fedora: 'at-spi2-atk',
    arch: 'at-spi2-core',
  },
  { library: 'libdrm.so.2', debian: ['libdrm2'], fedora: 'libdrm', arch: 'libdrm' },
];

/** Debian's packages of the libraries that the engine's Node and its addons load. @type {readonly string[]} */
export const ENGINE_DEPENDENCIES = ['libc6 (>= 2.34)', 'libstdc++6 (>= 12)', 'libatomic1'];

/** Dependencies of a Debian package of the application, for releases before and since the change of names. */
export const DEBIAN_DEPENDENCIES = LIBRARIES.map(({ debian }) => debian.join(' | '));

const XVFB = { library: 'Xvfb', debian: ['xvfb'], fedora: 'xorg-x11-server-Xvfb', arch: 'xorg-server-xvfb' };
const FONTS = { library: 'fonts', debian: ['fonts-dejavu-core'], fedora: 'dejavu-sans-mono-fonts', arch: 'ttf-dejavu' };

/**
 * Sees to the system's libraries on Linux: as root on Debian and its kin what is missing is installed, after a question where somebody can answer
 * it; elsewhere the command is named.
 * @param {string} binary Electron's
 * @param {{ virtualDisplay: boolean }} needs whether Xvfb is needed too
 * @throws {SetupError} when something is missing and is not installed from here
 */
export async function ensureSystemLibraries(binary, needs) {
  if (process.platform !== 'linux') return;
  const missing = await missingParts(binary, needs);
  if (missing.length === 0) return;
  const names = missing.map((part) => part.library).join(', ');
  const apt = existsSync('/usr/bin/apt-get');
  const isRoot = process.getuid?.() === 0;
  const way = installationWay({
    canInstall: apt && isRoot,
    hasDisplay: !needs.virtualDisplay,
    isCi: Boolean(process.env.CI),
    hasTerminal: Boolean(process.stdin.isTTY && process.stdout.isTTY),
  });
  const lacks = `Electron needs what this system lacks: ${names}.`;
  if (way === 'tell' || (way === 'ask' && !(await askYesNo(`sluicebox: ${lacks} Install it with apt-get?`)))) {
    throw new SetupError(lacks, { hint: await commandFor(missing, apt, isRoot) });
  }
  say(`installing system packages for Electron (${names})`);
  await aptInstall(missing);
  const left = await missingParts(binary, needs);
  if (left.length > 0) throw new SetupError(`Electron still misses ${left.map((part) => part.library).join(', ')} after the installation.`);
}

/** @typedef {{ library: string, debian?: string[], fedora?: string, arch?: string }} Part */

/** @param {string} binary @param {{ virtualDisplay: boolean }} needs @returns {Promise<Part[]>} */
async function missingParts(binary, { virtualDisplay }) {
  const linked = await run('ldd', [binary]);
  const unresolved = [...linked.stdout.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? '');
  const cache = await run(existsSync('/sbin/ldconfig') ? '/sbin/ldconfig' : 'ldconfig', ['-p']);
  const isThere = (/** @type {string} */ library) => cache.stdout.includes(`\t${library} `);
  /** @type {Part[]} */
  const missing = LIBRARIES.filter(({ library }) => unresolved.includes(library) || (cache.code === 0 && !isThere(library)));
  const known = new Set(LIBRARIES.map(({ library }) => library));
  // Other libraries mostly come with the known packages, so they are named only when all of those are there.
  if (missing.length === 0) missing.push(...unresolved.filter((library) => !known.has(library)).map((library) => ({ library })));
  if (virtualDisplay && !onPath('Xvfb')) missing.push(XVFB);
  if (!hasFonts()) missing.push(FONTS);
  return missing;
}

/** @param {string} name */
const onPath = (name) => (process.env.PATH ?? '').split(':').some((folder) => folder !== '' && existsSync(`${folder}/${name}`));

/** Without any font Chromium draws no text at all. */
function hasFonts() {
  return ['/usr/share/fonts', '/usr/local/share/fonts', `${process.env.HOME}/.fonts`, `${process.env.HOME}/.local/share/fonts`].some(
    (folder) => existsSync(folder) && readdirSync(folder).length > 0,
  );
}

/** @param {Part[]} parts */
async function aptInstall(parts) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const update = await run('apt-get', ['update', '-qq'], { env });
  const packages = await debianNames(parts);
  const result = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
  if (result.code !== 0) {
    throw new SetupError(`apt-get could not install ${packages.join(' ')}:\n${tail(update.code === 0 ? result : update, 6)}`, {
      hint: `Run: apt-get update && apt-get install -y ${packages.join(' ')}`,
    });
  }
}

/**
 * The package names as this release has them. A library that no package is known for has none.
 * @param {Part[]} parts
 */
async function debianNames(parts) {
  const known = parts.flatMap((part) => (part.debian ? [part.debian] : []));
  const found = await run('apt-cache', ['pkgnames']);
  const available = new Set(found.stdout.split('\n'));
  return known.map((names) => names.find((name) => available.has(name)) ?? /** @type {string} */ (names.at(-1)));
}

/** @param {Part[]} parts @param {boolean} apt @param {boolean} isRoot */
async function commandFor(parts, apt, isRoot) {
  const names = (/** @type {'fedora' | 'arch'} */ system) => parts.flatMap((part) => part[system] ?? []).join(' ');
  const again = 'Then run this command again.';
  const sudo = isRoot ? '' : 'sudo ';
  if (apt) return `Run: ${sudo}apt-get update && ${sudo}apt-get install -y ${(await debianNames(parts)).join(' ')}\n  ${again}`;
  if (onPath('dnf')) return `Run: ${sudo}dnf install -y ${names('fedora')}\n  ${again}`;
  if (onPath('pacman')) return `Run: ${sudo}pacman -S --needed ${names('arch')}\n  ${again}`;
  return `Install these with your system's package manager (the libraries of GTK 3, NSS, ALSA, GBM and Xvfb), then run the command again.`;
}
