import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The console: src/ui into dist/ui, every file but index.html under assets/ with its hash in the name. */
export default defineConfig({
  root: fileURLToPath(new URL('./src/ui', import.meta.url)),
  base: '/',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('./dist/ui', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    // Recharts and CodeMirror are chunks of their own, loaded where they are shown.
    chunkSizeWarningLimit: 600,
  },
});
