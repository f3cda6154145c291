/** The entry of the built program: hands the process over to the command line and takes its exit code. */
import { systemClock } from '../core/kernel/clock.ts';
import { version } from './base/version.ts';

const words = process.argv.slice(2);
/** What a failed command may still have to write. */
const lingerMs = 2000;
// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.write(`${version}\n`);
} else {
  const stop = new AbortController();
  let listening = false;
  const { runCommandLine } = await import('./run.ts');
  const exitCode = await runCommandLine({
    words,
    environment: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    clock: systemClock,
    stop: () => {
      // The second signal ends the process as if nobody listened.
      if (!listening) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
      listening = true;
      return stop.signal;
    },
  });
  process.exitCode = exitCode;
  // A gateway whose database died cannot close its connections in order: they do not keep the process.
  if (exitCode !== 0) setTimeout(() => process.exit(), lingerMs).unref();
}
