/**
 * Generates the documents that are derived from declarations: `node scripts/generate.ts`. With
 * `--check` nothing is written; outdated documents are listed, with exit code 1. To add a document,
 * add an entry to `documents`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliDocument } from './generate/cli.ts';
import { conversionsDocument } from './generate/conversions.ts';
import { errorsDocument } from './generate/errors.ts';
import { modelListsDocument } from './generate/model-lists.ts';
import { optionsDocument } from './generate/options.ts';
import { providersDocument } from './generate/providers.ts';
import { settingsDocument } from './generate/settings.ts';

interface GeneratedDocument {
  /** Path relative to the repository. */
  readonly file: string;
  /** The whole content, ending with a newline. Must be the same on every machine. */
  readonly render: () => string | Promise<string>;
}

const documents: readonly GeneratedDocument[] = [
  { file: 'docs/cli.md', render: cliDocument },
  { file: 'docs/errors.md', render: errorsDocument },
  { file: 'docs/options.md', render: optionsDocument },
  { file: 'docs/providers.md', render: providersDocument },
  { file: 'docs/conversions.md', render: conversionsDocument },
  { file: 'docs/model-lists.md', render: modelListsDocument },
  { file: 'docs/settings.md', render: settingsDocument },
];

const root = join(import.meta.dirname, '..');
const check = process.argv.includes('--check');

for (const { file, render } of documents) {
  const path = join(root, file);
  const content = await render();
  if (content === readIfThere(path)) continue;
  if (check) {
    console.error(`${file} is out of date: run node scripts/generate.ts`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, content);
    console.log(`wrote ${file}`);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
