/**
 * The console with hot reload: Vite serves the pages, and passes API calls and relay requests on to
 * the gateway.
 */
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

/** Paths of the gateway. Not `/api` alone: `/api.ts` is a module of the console. */
const gatewayPaths =
  '^/(api|public|users|pg|v1|v1beta|v2|dashboard/billing|mj(-[a-z]+)?|suno|uploads)(/|$|\\?)';

export async function startConsole(
  port: number,
  gatewayUrl: string,
): Promise<{ close(): Promise<void> }> {
  const server = await createServer({
    configFile: fileURLToPath(new URL('../../vite.console.ts', import.meta.url)),
    logLevel: 'warn',
    clearScreen: false,
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      // The Host header stays, so that the gateway recognises its own pages; WebSockets go on too.
      proxy: { [gatewayPaths]: { target: gatewayUrl, ws: true } },
    },
  });
  await server.listen();
  return { close: () => server.close() };
}
