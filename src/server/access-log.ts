/**
 * A line for each request in the Combined Log Format, with the milliseconds at the end
 * (docs/rules/process.md#access-log). Off unless it is configured.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface AccessLogDeps {
  readonly write: (line: string) => void;
  readonly addressOf: (request: IncomingMessage) => string;
}

export interface AccessLog {
  /** Notes a request, and writes its line when its reply has ended or its connection is lost. */
  watch(request: IncomingMessage, response: ServerResponse): void;
  /** The same for a WebSocket: its line has the time that it was open. */
  watchUpgrade(request: IncomingMessage, socket: Duplex): void;
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

export function createAccessLog({ write, addressOf }: AccessLogDeps): AccessLog {
  const begin = (request: IncomingMessage) => {
    const { socket } = request;
    const startedAt = Date.now();
    const sentBefore = socket.bytesWritten;
    // Not at the end: of a connection that is gone the address is not known any more.
    const address = addressOf(request);
    return (status: string) => {
      const { method, url = '', httpVersion, headers } = request;
      const line = [
        `${escaped(address) || '-'} - - [${timeOf(new Date(startedAt))}]`,
        `"${method} ${escaped(withoutQuery(url))} HTTP/${httpVersion}"`,
        `${status} ${socket.bytesWritten - sentBefore}`,
        `"${escaped(withoutQuery(headers.referer ?? '-'))}" "${escaped(headers['user-agent'] ?? '-')}"`,
        Date.now() - startedAt,
      ];
      write(`${line.join(' ')}\n`);
    };
  };
  return {
    watch: (request, response) => {
      const end = begin(request);
      response.once('close', () =>
        // As nginx has it: nobody got a reply.
        end(response.headersSent ? String(response.statusCode) : '499'),
      );
    },
    watchUpgrade: (request, socket) => {
      const end = begin(request);
      const head = statusOfNextWrite(socket);
      socket.once('close', () => end(head() ?? '499'));
    },
  };
}

/** Secrets of callers stand in queries: keys, links of mails, codes of sign-ins. */
function withoutQuery(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? '';
}

/** As Apache writes it, so that no caller can make a line or a field of its own. */
function escaped(text: string): string {
  return text.replace(/[^\x20-\x7e]|["\\]/g, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : [...Buffer.from(character, 'utf8')]
          .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
          .join(''),
  );
}

/** `22/Nov/2026:08:05:09 +0000`. */
function timeOf(time: Date): string {
  const [date = '', clock = ''] = time.toISOString().split('T');
  const [year, month, day] = date.split('-');
  return `${day}/${months[Number(month) - 1]}/${year}:${clock.slice(0, 8)} +0000`;
}

/** The reply to a handshake is written to the socket itself, by ws or by us. */
function statusOfNextWrite(socket: Duplex): () => string | undefined {
  let status: string | undefined;
  const { write } = socket;
  socket.write = ((...given: Parameters<Duplex['write']>) => {
    socket.write = write;
    status = /^HTTP\/1\.1 (\d{3})/.exec(String(given[0]).slice(0, 12))?.[1];
    return write.apply(socket, given);
  }) as Duplex['write'];
  return () => status;
}
