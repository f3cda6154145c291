/** Entry point of the built program: runs the command line and sets the exit code. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import envPaths from 'env-paths';
import { systemClock } from '../core/kernel/clock.ts';
import { restartWithLimits } from '../server/heap.ts';
import { version } from './base/version.ts';

const argv = process.argv.slice(2);
/** Time after a failure for pending output. */
const exitDelayMs = 2000;
// A reader that closes the pipe early (`| head`) is not a failure. Without notes, the exit code
// still says what happened.
process.stdout.on('error', async (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  // Before a command that waits for the write sees it, and leaves the message to this listener.
  Object.assign(error, { path: 'stdout' });
  const { describeFailure } = await import('./base/failure.ts');
  const { pickLanguage } = await import('./base/text.ts');
  const failure = describeFailure(error, pickLanguage(undefined, process.env));
  const text = argv.includes('--json') ? JSON.stringify({ error: failure }) : failure.message;
  process.stderr.write(`${text}\n`, () => process.exit(1));
});
process.stderr.on('error', () => {});

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${version}\n`);
} else {
  // As serve does; before anything is loaded, since what was loaded is loaded again.
  const [command = 'serve'] = argv;
  if (command === 'serve' && !argv.includes('--help') && !argv.includes('-h')) restartWithLimits();
  // The compiled code is kept for the next start: compiling is a third of a short command. In a
  // folder of the user, because others can write below the temporary folder, Node's own choice.
  // Where it cannot be written, nothing is kept.
  enableCompileCache(join(envPaths('turnpike', { suffix: '' }).cache, 'compiled'));
  const stop = new AbortController();
  let listening = false;
  /**
   * A second signal ends the process immediately. The listener stays until then: Ink ends a process
   * that has none of its own.
   */
  const onSignal = (signal: NodeJS.Signals) => {
    const listener = () => {
      if (!stop.signal.aborted) return stop.abort();
      process.off(signal, listener);
      process.kill(process.pid, signal);
    };
    process.on(signal, listener);
  };
  const { runCommandLine } = await import('./run.ts');
  const exitCode = await runCommandLine({
    argv,
    environment: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    clock: systemClock,
    ownsProcess: true,
    stop: () => {
      if (!listening) for (const signal of ['SIGINT', 'SIGTERM'] as const) onSignal(signal);
      listening = true;
      return stop.signal;
    },
  });
  process.exitCode = exitCode;
  // After a database failure the gateway cannot close its connections cleanly; they must not keep
  // the process alive.
  if (exitCode !== 0) setTimeout(() => process.exit(), exitDelayMs).unref();
}
