import packageJson from '../../../package.json' with { type: 'json' };

/** Set by the build (vite.server.ts). */
declare const __TURNPIKE_VERSION__: string | undefined;

/**
 * The version, with its commit where it is none that was released; run from the sources: the
 * package's alone.
 */
export const version: string =
  typeof __TURNPIKE_VERSION__ === 'string' ? __TURNPIKE_VERSION__ : packageJson.version;
