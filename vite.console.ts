import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The console build: src/ui into dist/ui; every file except index.html is under assets/ with a hash in its name. */
export default defineConfig({
  root: fileURLToPath(new URL('./src/ui', import.meta.url)),
  base: '/',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('./dist/ui', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    // Recharts and CodeMirror are separate chunks, loaded on demand.
    chunkSizeWarningLimit: 600,
  },
});
