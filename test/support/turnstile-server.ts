/** Cloudflare's siteverify: each token that was issued is good once. */
import { type Lifetime, startProvider } from './provider-server.ts';

export interface TurnstileServer {
  readonly url: string;
  /** What was sent, in order. */
  readonly calls: Readonly<Record<string, string>>[];
  issue(token: string): void;
  misbehave(how: 'silent' | 'broken' | undefined): void;
}

export const turnstileSecret = 'turnstile-secret';

export async function startTurnstile(lifetime: Lifetime = 'test'): Promise<TurnstileServer> {
  const issued = new Set<string>();
  const calls: Record<string, string>[] = [];
  let trouble: 'silent' | 'broken' | undefined;
  const url = await startProvider((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(text));
      calls.push(form);
      if (trouble === 'silent') return;
      if (trouble === 'broken') return void response.writeHead(502).end('<html>Bad gateway</html>');
      const rightSecret = form['secret'] === turnstileSecret;
      const success = rightSecret && issued.delete(form['response'] ?? '');
      const codes = success ? [] : [rightSecret ? 'timeout-or-duplicate' : 'invalid-input-secret'];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ success, 'error-codes': codes }));
    });
  }, lifetime);
  return {
    url: `${url}/siteverify`,
    calls,
    issue: (token) => issued.add(token),
    misbehave: (how) => {
      trouble = how;
    },
  };
}
