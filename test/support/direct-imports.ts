/**
 * Imports between our own files are resolved here: their specifiers are relative and complete, so
 * the file is known without a search. Vitest would send each of them to its main process, which
 * needs them only to watch files.
 */
import { registerHooks } from 'node:module';

const ours = /^\.{1,2}\/.*\.ts$/;
const folders = ['src', 'test', 'scripts', 'bench'].map(
  (folder) => new URL(`../../${folder}/`, import.meta.url).href,
);

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (parentURL === undefined || !ours.test(specifier)) return next(specifier, context);
    const { href: url } = new URL(specifier, parentURL);
    if (!folders.some((folder) => url.startsWith(folder))) return next(specifier, context);
    return { url, format: 'module-typescript', shortCircuit: true };
  },
});
