/**
 * Tools that OpenAI defines and clients carry out, as functions of other models
 * (docs/rules/formats.md#client-tools): how they are described to these, and how calls and results read.
 */
import type { ClientTool } from '../../../canonical/chat.ts';
import { compact, countOf, listOf, recordsOf, textOf } from '../../../canonical/kit/read-json.ts';
import { isObject, type JsonObject, type JsonValue, parseObject } from '../../../kernel/json.ts';
import type { ItemEvent } from './output.ts';

export interface ClientToolForm {
  /** Prefix of the ids of its calls. */
  readonly prefix: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** The members of a call's item, by the arguments of the function's call. */
  readonly item: (given: JsonObject) => JsonObject;
  /** The same while the call is announced, and the events that fill it. */
  readonly announced?: (whole: JsonObject) => JsonObject;
  readonly events?: (whole: JsonObject) => readonly ItemEvent[];
  /** The arguments by the item; undefined: the vendor carried it out itself. */
  readonly given: (item: JsonObject) => JsonObject | undefined;
  /** What the model reads of a result. */
  readonly result: (item: JsonObject) => string;
}

const text = (description: string) => ({ type: 'string', description });
const texts = (description: string) => ({
  type: 'array',
  items: { type: 'string' },
  description,
});
const count = (description: string) => ({ type: 'integer', description });

function parametersOf(required: JsonObject, optional: JsonObject = {}): JsonObject {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

const objectIn = (value: JsonValue | undefined): JsonObject =>
  isObject(value) ? (value as JsonObject) : {};

/** Models write one command where a list is expected. */
function commandsIn(value: JsonValue | undefined): string[] {
  return typeof value === 'string'
    ? [value]
    : listOf(value).filter((entry) => typeof entry === 'string');
}

const shellCommand = 'response.shell_call_command';

/** What one command wrote, and how it ended. */
function shellOutput({ stdout, stderr, outcome }: Readonly<Record<string, unknown>>): string {
  const end = objectIn(outcome as JsonValue | undefined);
  const problem = textOf(stderr);
  const lines = [
    textOf(stdout),
    problem === undefined ? undefined : `stderr:\n${problem}`,
    end['type'] === 'timeout' ? 'It took too long and was ended.' : undefined,
    end['exit_code'] === undefined ? undefined : `exit code: ${String(end['exit_code'])}`,
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}

const shell: ClientToolForm = {
  prefix: 'sh',
  description: 'Runs shell commands on the user’s computer and returns what they write.',
  parameters: parametersOf(
    { commands: texts('The commands. Each runs in a shell of its own.') },
    {
      timeout_ms: count('Milliseconds after which the commands are ended.'),
      max_output_length: count('Most characters to return of what each command writes.'),
    },
  ),
  item: ({ commands, command, timeout_ms, max_output_length }) => ({
    action: {
      commands: commandsIn(commands ?? command),
      timeout_ms: countOf(timeout_ms) ?? null,
      max_output_length: countOf(max_output_length) ?? null,
    },
    environment: { type: 'local' },
  }),
  announced: (whole) => ({ ...whole, action: { ...objectIn(whole['action']), commands: [] } }),
  events: (whole) =>
    commandsIn(objectIn(whole['action'])['commands']).flatMap((command, command_index) => [
      [`${shellCommand}.added`, { command_index, command: '' }],
      [`${shellCommand}.delta`, { command_index, delta: command }],
      [`${shellCommand}.done`, { command_index, command }],
    ]),
  given: ({ action, environment }) => {
    if ((objectIn(environment)['type'] ?? 'local') !== 'local') return undefined;
    const { commands, timeout_ms, max_output_length } = objectIn(action);
    return compact({
      commands: commandsIn(commands),
      timeout_ms: countOf(timeout_ms),
      max_output_length: countOf(max_output_length),
    });
  },
  result: ({ output }) =>
    typeof output === 'string' ? output : recordsOf(output).map(shellOutput).join('\n\n'),
};

const localShell: ClientToolForm = {
  prefix: 'lsh',
  description: 'Runs one command on the user’s computer and returns what it writes.',
  parameters: parametersOf(
    { command: texts('The program and its arguments, each on its own.') },
    {
      working_directory: text('The folder to run it in.'),
      timeout_ms: count('Milliseconds after which the command is ended.'),
      env: {
        type: 'object',
        description: 'Environment variables to set.',
        additionalProperties: { type: 'string' },
      },
    },
  ),
  item: ({ command, working_directory, timeout_ms, env }) => ({
    action: compact({
      type: 'exec',
      command: typeof command === 'string' ? ['bash', '-lc', command] : commandsIn(command),
      env: objectIn(env),
      working_directory: textOf(working_directory),
      timeout_ms: countOf(timeout_ms),
    }),
  }),
  given: ({ action }) => {
    const { type: _, ...given } = objectIn(action);
    return given;
  },
  result: ({ output }) => textOf(output) ?? '',
};

const operations = ['create_file', 'update_file', 'delete_file'];
const diffEvent = 'response.apply_patch_call_operation_diff';

const applyPatch: ClientToolForm = {
  prefix: 'apc',
  description: [
    'Creates, changes or deletes one file.',
    'To create a file, `diff` is its text with a plus sign before each line.',
    'To change a file, `diff` has one section for each place that changes. A section begins with a ' +
      'line `@@`, which may go on with a line of the file to look for, such as the head of a ' +
      'function. About three lines before and after the change follow as they are, with one blank ' +
      'before each; between them stand the old lines with a minus sign before each and the new ' +
      'lines with a plus sign. There are no line numbers and no names of files in it.',
    'To delete a file, leave `diff` out.',
  ].join('\n'),
  parameters: parametersOf(
    { type: { type: 'string', enum: operations }, path: text('The file.') },
    { diff: text('The text of the new file, or the changes.') },
  ),
  item: (given) => {
    const { type, path, diff } = { ...given, ...objectIn(given['operation']) };
    const operation = { type: textOf(type) ?? 'update_file', path: textOf(path) ?? '' };
    return {
      operation: type === 'delete_file' ? operation : { ...operation, diff: textOf(diff) ?? '' },
    };
  },
  announced: ({ operation }) => {
    const whole = objectIn(operation);
    return { operation: whole['diff'] === undefined ? whole : { ...whole, diff: '' } };
  },
  events: ({ operation }) => {
    const diff = objectIn(operation)['diff'];
    if (typeof diff !== 'string') return [];
    return [
      [`${diffEvent}.delta`, { delta: diff }],
      [`${diffEvent}.done`, { diff }],
    ];
  },
  given: ({ operation }) => objectIn(operation),
  result: ({ output, status }) => textOf(output) ?? textOf(status) ?? '',
};

const toolSearch: ClientToolForm = {
  prefix: 'tsc',
  description: 'Finds further tools. Those that it finds can be called from then on.',
  parameters: parametersOf({
    paths: texts('Names of the tools, or of the groups of tools, that are needed.'),
  }),
  item: (given) => ({ execution: 'client', arguments: given }),
  announced: (whole) => ({ ...whole, arguments: {} }),
  given: ({ execution, call_id, arguments: given }) => {
    if (execution === 'server' || typeof call_id !== 'string') return undefined;
    return typeof given === 'string' ? (parseObject(given) as JsonObject) : objectIn(given);
  },
  // What it found is written where the names of tools are known.
  result: () => '',
};

const forms: Readonly<Record<ClientTool, ClientToolForm>> = {
  shell,
  local_shell: localShell,
  apply_patch: applyPatch,
  tool_search: toolSearch,
};

export function clientToolForm(tool: ClientTool): ClientToolForm {
  return forms[tool];
}

export function isClientTool(type: string): type is ClientTool {
  return Object.hasOwn(forms, type);
}

const tools = Object.keys(forms).filter(isClientTool);
const tookCall: ReadonlyMap<string, ClientTool> = new Map(
  tools.map((tool) => [`${tool}_call`, tool]),
);
const gaveResult: ReadonlyMap<string, ClientTool> = new Map(
  tools.map((tool) => [tool === 'tool_search' ? `${tool}_output` : `${tool}_call_output`, tool]),
);

/** Whether items of this type are calls that the client answers. */
export function isCallItem(type: string): boolean {
  return type === 'function_call' || type === 'custom_tool_call' || tookCall.has(type);
}

/** The tool whose calls, or results, are items of this type. */
export const calledBy = (type: string): ClientTool | undefined => tookCall.get(type);
export const answeredBy = (type: string): ClientTool | undefined => gaveResult.get(type);
