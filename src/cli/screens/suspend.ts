/** Ctrl-Z in the screens: the shell gets its terminal back, and `fg` brings the screens back. */

import type { Lend } from './app-model.ts';

/**
 * ms after which a process that was not stopped goes on: without a shell that could continue it,
 * the system ignores the signal.
 */
const stopTimeoutMs = 300;

export interface Suspension {
  /** Gives the terminal back and stops the process until it is continued. */
  suspend(): void;
  /** From now on signals stop the process as usual. */
  end(): void;
}

/**
 * Handles SIGTSTP and SIGCONT while the screens are open. `lend` leaves the screens for as long as
 * its work takes and draws them anew; undefined: they are not drawn, or another program has the
 * terminal. On Windows there are no such signals.
 */
export function handleSuspension(lend: () => Lend | undefined): Suspension {
  if (process.platform === 'win32') return { suspend: () => {}, end: () => {} };
  let isStopping = false;
  const suspend = () => {
    if (isStopping) return;
    isStopping = true;
    const leave: Lend = lend() ?? ((work) => work());
    void leave(() => stopUntilContinued(suspend)).finally(() => {
      isStopping = false;
    });
  };
  /** After a stop that no process can handle (SIGSTOP) the shell has changed the terminal. */
  const redraw = () => {
    if (!isStopping) void lend()?.(async () => readSize());
  };
  process.on('SIGTSTP', suspend);
  process.on('SIGCONT', redraw);
  const end = () => {
    process.off('SIGTSTP', suspend);
    process.off('SIGCONT', redraw);
  };
  return { suspend, end };
}

/**
 * Stops the whole process group, as the terminal does for Ctrl-Z: a shell or npx may stand between
 * it and this process.
 */
async function stopUntilContinued(handler: () => void): Promise<void> {
  const { promise: continued, resolve } = Promise.withResolvers<void>();
  process.once('SIGCONT', resolve);
  process.off('SIGTSTP', handler);
  process.kill(0, 'SIGTSTP');
  const timer = setTimeout(resolve, stopTimeoutMs);
  await continued;
  clearTimeout(timer);
  process.off('SIGCONT', resolve);
  process.on('SIGTSTP', handler);
  readSize();
}

/**
 * Changes of the size are only reported to the processes that have the terminal: streams read it
 * again on this signal.
 */
function readSize(): void {
  process.emit('SIGWINCH', 'SIGWINCH');
}
