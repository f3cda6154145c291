/**
 * The server build: the command line with everything it loads, and each worker thread as an entry of its own, because
 * Vite does not bundle `new Worker(new URL(…))` in SSR builds.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Entry → source. Chunks and workers lie in one folder, so `new URL('./x.js', import.meta.url)` finds dist/x.js from any chunk. */
const entries: Readonly<Record<string, string>> = {
  main: 'src/cli/main.ts',
  'sqlite-worker': 'src/core/sqlite-worker.ts',
  'token-worker': 'src/core/metering/token-worker.ts',
};

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  publicDir: false,
  // React's development code stays out of the bundle.
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  ssr: { noExternal: true, external: ['better-sqlite3', 'pg-native', 'react-devtools-core'] },
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist',
    // The console's files lie there already.
    emptyOutDir: false,
    minify: false,
    rollupOptions: {
      input: Object.fromEntries(
        Object.entries(entries)
          .filter(([, path]) => existsSync(at(path)))
          .map(([name, path]) => [name, at(path)]),
      ),
      output: { entryFileNames: '[name].js', chunkFileNames: 'part-[name].js', format: 'es' },
    },
  },
});
