/**
 * Connects the screens to Ink: it draws their lines and passes on keys. The logic is in the model.
 */
import { Chalk } from 'chalk';
import { Box, render, Text, useApp, useInput, usePaste, useStdout, useWindowSize } from 'ink';
import { createElement, useEffect, useSyncExternalStore } from 'react';
import { fitLine, type Line, textOf } from '../kit/lines.ts';
import { paintWith } from '../kit/tones.ts';
import type { AppModel } from './app-model.ts';
import { keyName } from './key-name.ts';
import { handleSuspension } from './suspend.ts';

const colours = new Chalk({ level: 1 });

/**
 * Ink draws from where the cursor is, and a prompt or another program may have left it within a
 * line.
 */
const toLineStart = '\r';

/**
 * A line with its colours as one text: an element for each span would take Ink several times as
 * long.
 */
function paintLine(shown: Line, colour: boolean): string {
  if (colour)
    return shown.map(({ text, tone = 'plain' }) => paintWith(colours, tone, text)).join('');
  // Without colour, reverse video still shows the cursor.
  const text = textOf(shown);
  return shown.some(({ tone }) => tone === 'selected') ? colours.inverse(text) : text;
}

export interface ScreenProps {
  readonly model: AppModel;
  readonly colour: boolean;
  /** For tests; default: the size of the terminal. */
  readonly size?: { readonly columns: number; readonly rows: number };
}

export function Screen({ model, colour, size }: ScreenProps) {
  useSyncExternalStore(
    (listener) => model.subscribe(listener),
    () => model.version,
  );
  const { suspendTerminal } = useApp();
  const { stdout } = useStdout();
  useEffect(() => {
    model.lendTerminal = async (work) => {
      model.isLent = true;
      const lent = suspendTerminal(async () => {
        await work();
        stdout.write(toLineStart);
      });
      await lent.finally(() => {
        model.isLent = false;
      });
    };
  }, [model, suspendTerminal, stdout]);
  const terminal = useWindowSize();
  const { columns, rows } = size ?? terminal;
  useInput((input, key) => {
    for (const name of keyName(input, key)) model.press(name);
  });
  usePaste((text) => model.press(text));
  const lines = model.draw(columns, rows);
  const text = lines
    .map((shown) => paintLine(fitLine(shown, columns, model.glyphs), colour))
    .join('\n');
  return createElement(
    Box,
    { width: columns, height: lines.length },
    createElement(Text, { wrap: 'truncate' }, text),
  );
}

export interface OpenSettings {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly colour: boolean;
}

/**
 * Opens the screens on the alternate screen. Resolves when `closed` does; throws what they crashed
 * with. In every case the terminal is as it was before, so that the message of a crash is not lost
 * with the alternate screen.
 */
export async function openScreens(
  model: AppModel,
  settings: OpenSettings,
  closed: Promise<void>,
): Promise<void> {
  const { promise: crashed, reject: crash } = Promise.withResolvers<never>();
  const crashes = ['uncaughtException', 'unhandledRejection'] as const;
  for (const event of crashes) process.on(event, crash);
  settings.stdout.write(toLineStart);
  const instance = render(createElement(Screen, { model, colour: settings.colour }), {
    stdin: settings.stdin,
    stdout: settings.stdout,
    alternateScreen: true,
    // only lines that changed are sent: no flicker, and little to send over SSH
    incrementalRendering: true,
    exitOnCtrlC: false, // the model handles Ctrl-C, so that the connection is closed too
  });
  const suspension = handleSuspension(() => (model.isLent ? undefined : model.lendTerminal));
  model.suspend = suspension.suspend;
  const living = model.live.run();
  try {
    await Promise.race([closed, crashed, instance.waitUntilExit()]);
  } finally {
    model.live.close();
    suspension.end();
    instance.unmount();
    await instance.waitUntilExit().catch(() => {}); // its failure was thrown above
    for (const event of crashes) process.off(event, crash);
  }
  await living;
}
