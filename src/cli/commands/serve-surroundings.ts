/** What `turnpike serve` does around the gateway: the browser, and systemd. */
import { spawn } from 'node:child_process';
import type { Context } from '../command/command.ts';

/** Tells a unit of `Type=notify` (docs/operate.md#services); Node has no datagrams to do so. */
export function notifySystemd(
  environment: NodeJS.ProcessEnv,
  state: '--ready' | '--stopping',
): void {
  if (environment['NOTIFY_SOCKET'] === undefined) return;
  spawn('systemd-notify', [state], { stdio: 'ignore' }).once('error', () => undefined);
}

/**
 * A missing browser is not a failure: the banner contains the address. The address has no setup
 * code, because every user of the machine can read the arguments of a process.
 */
export async function openBrowser(url: string, context: Context): Promise<void> {
  const { default: open } = await import('open');
  const child = await open(url).catch(() => undefined);
  child?.once('error', () => context.output.note(noBrowser));
}

const noBrowser = { en: 'Could not open a browser', zh: '无法打开浏览器' } as const;
