/**
 * `turnpike tui`: live terminal screens, based on the same API calls as the commands
 * (docs/rules/command-line.md#terminal-screens).
 */

import { UsageError } from '../base/usage-error.ts';
import { type Command, command } from '../command/command.ts';
import { pickGlyphs } from '../kit/glyphs.ts';

export const tuiCommands: readonly Command[] = [
  command({
    name: 'tui',
    summary: { en: 'Live screens in the terminal', zh: '终端实时界面' },
    details: {
      en: 'Needs a terminal of at least 80x24. Press ? for keys',
      zh: '终端至少 80x24。按 ? 查看按键',
    },
    flags: [
      {
        name: 'ascii',
        variable: true,
        kind: 'switch',
        summary: { en: 'Use ASCII characters only', zh: '仅使用 ASCII 字符' },
      },
      {
        name: 'text',
        variable: true,
        kind: 'switch',
        summary: {
          en: 'Plain lines for screen readers: type keys and press Enter',
          zh: '为读屏软件输出纯文本：输入按键后回车',
        },
      },
    ],
    async run(context) {
      const isText = context.values.on('text');
      if (!isText && (process.stdin.isTTY !== true || process.stdout.isTTY !== true))
        throw new UsageError(texts.terminal);
      const connection = await context.connection();
      const { money } = await context.view();
      const [{ AppModel }, { makeViews }, { openScreens }, { openTextMode }, { runEditor }] =
        await Promise.all([
          import('../screens/app-model.ts'),
          import('../screens/views.ts'),
          import('../screens/open-screens.ts'),
          import('../screens/text-mode.ts'),
          import('../screens/run-editor.ts'),
        ]);
      const { promise: closed, resolve: quit } = Promise.withResolvers<void>();
      const stop = context.stop();
      stop.addEventListener('abort', () => quit(), { once: true });
      const model = new AppModel(
        {
          client: connection.client,
          clock: context.clock,
          language: context.output.language,
          glyphs: pickGlyphs(context.values.on('ascii'), context.environment),
          money,
          address: connection.address.replace(/^https?:\/\//, ''),
          runEditor: (fileName, text) =>
            runEditor(fileName, text, context.environment, context.output.language),
          writeRaw: (sequence) => process.stdout.write(sequence),
          quit,
        },
        makeViews,
      );
      if (isText) {
        await openTextMode(model, { stdin: process.stdin, stdout: process.stdout }, closed);
        return {};
      }
      await openScreens(
        model,
        { stdin: process.stdin, stdout: process.stdout, colour: !context.environment.NO_COLOR },
        closed,
      );
      return {};
    },
  }),
];

const texts = {
  terminal: { en: 'The screens need an interactive terminal', zh: '界面需要在交互式终端中运行' },
} as const;
