/** An upstream with Gemini's generateContent and a model that requires its thought signatures. */
import { type Loose, recordOf, recordsOf, textOf } from '../../src/core/canonical/kit/read-json.ts';
import { signatureOf, type Turn } from './script.ts';
import {
  argumentsOf,
  complaints,
  type FaultCollector,
  inThreeParts,
  upstreamKeys,
  type Wire,
} from './wire.ts';

const known = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'safetySettings',
  'cachedContent',
];
const knownInConfig = [
  'temperature',
  'topP',
  'topK',
  'candidateCount',
  'maxOutputTokens',
  'stopSequences',
  'seed',
  'thinkingConfig',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'presencePenalty',
  'frequencyPenalty',
  'responseModalities',
];
/** Keywords of JSON Schema that `parametersJsonSchema` supports, but `parameters` does not. */
const notInParameters =
  /"(\$schema|\$ref|additionalProperties|exclusiveMinimum|exclusiveMaximum|const|allOf|oneOf)":/;
/** Output limit of the model in tokens. */
const mostOutput = 65_536;
/** The documented placeholder for callers without a signature. */
const noSignature = 'skip_thought_signature_validator';

const partsWith = (content: Loose | undefined, member: string) =>
  recordsOf(content?.['parts']).filter((part) => recordOf(part[member]) !== undefined);

/**
 * The results of a content's calls: the same number of responses, in the same order, before the
 * model's next content.
 */
function resultsAfter(
  content: Loose,
  following: readonly Loose[],
  { expect }: FaultCollector,
): string[] {
  const calls = partsWith(content, 'functionCall');
  if (calls.length === 0) return [];
  const signature = textOf(calls[0]?.['thoughtSignature']);
  const proofs = [1, 2, 3, 4].map(signatureOf);
  expect(
    signature !== undefined && [...proofs, noSignature].includes(signature),
    `the first call has the signature ${signature}`,
  );
  const end = following.findIndex((next) => next['role'] === 'model');
  const next = end === -1 ? following : following.slice(0, end);
  const responses = next
    .flatMap((one) => partsWith(one, 'functionResponse'))
    .map((part) => recordOf(part['functionResponse']));
  expect(
    responses.length === calls.length,
    `${calls.length} calls are followed by ${responses.length} responses`,
  );
  return calls.map((part, index) => {
    const call = recordOf(part['functionCall']);
    const response = responses[index];
    expect(
      response?.['name'] === call?.['name'],
      `a response to ${String(response?.['name'])} follows ${String(call?.['name'])}`,
    );
    expect(
      response?.['id'] === call?.['id'],
      `the response ${String(response?.['id'])} follows the call ${String(call?.['id'])}`,
    );
    expect(recordOf(response?.['response']) !== undefined, 'a response that is no object');
    return JSON.stringify(response?.['response'] ?? '');
  });
}

function checkConfig(body: Loose, noted: FaultCollector): void {
  const config = recordOf(body['generationConfig']) ?? {};
  noted.only(config, knownInConfig, 'generationConfig');
  const limit = config['maxOutputTokens'];
  noted.expect(
    limit === undefined || Number(limit) <= mostOutput,
    `maxOutputTokens is ${String(limit)}, of ${mostOutput} at most`,
  );
  const thinking = recordOf(config['thinkingConfig']) ?? {};
  const both = thinking['thinkingLevel'] !== undefined && thinking['thinkingBudget'] !== undefined;
  noted.expect(!both, 'a thinking level and a budget');
}

/**
 * Built-in tools together with functions are refused unless the request declares support for both.
 */
function checkBuiltins(body: Loose, { expect }: FaultCollector): void {
  const tools = recordsOf(body['tools']);
  const functions = tools.some((tool) => tool['functionDeclarations'] !== undefined);
  const builtins = tools
    .flatMap((tool) => Object.keys(tool))
    .filter((name) => name !== 'functionDeclarations');
  const allowed = recordOf(body['toolConfig'])?.['includeServerSideToolInvocations'] === true;
  expect(!functions || builtins.length === 0 || allowed, `${builtins.join(', ')} beside functions`);
}

function declaredTools(body: Loose, { expect }: FaultCollector): string[] {
  return recordsOf(body['tools'])
    .flatMap((tool) => recordsOf(tool['functionDeclarations']))
    .map((declaration) => {
      const name = textOf(declaration['name']) ?? '';
      expect(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name), `${name} is no name for a function`);
      const parameters = JSON.stringify(declaration['parameters'] ?? {});
      expect(
        !notInParameters.test(parameters),
        `the parameters of ${name} hold ${notInParameters.exec(parameters)?.[1]}`,
      );
      return name;
    });
}

function usageOf({ fresh, cached, output, reasoning }: Turn['tokens']): Loose {
  return {
    promptTokenCount: fresh + cached,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    totalTokenCount: fresh + cached + output,
  };
}

function partsOf({ number, thinking, text, calls }: Turn): Loose[] {
  return [
    ...inThreeParts(thinking ?? '').map((piece) => ({ text: piece, thought: true })),
    ...inThreeParts(text).map((piece) => ({ text: piece })),
    ...calls.map(({ id, tool, input }, index) => ({
      functionCall: { id, name: tool, args: argumentsOf(input) },
      ...(index === 0 ? { thoughtSignature: signatureOf(number) } : {}),
    })),
  ];
}

/** Google reads both spellings of the names of its fields. */
function inCamelCase(sent: string): Loose {
  const names = /"(function_declarations|function_call|function_response|thought_signature)":/g;
  return (
    recordOf(
      JSON.parse(
        sent.replace(names, (name) =>
          name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
        ),
      ),
    ) ?? {}
  );
}

export const geminiWire: Wire = {
  type: 'gemini',
  model: 'gemini-3-pro-preview',
  reportsCacheWrites: false,
  hasSignatures: true,
  serves: (path) => /:(?:streamG|g)enerateContent/.test(path),
  streams: ({ path }) => path.includes(':streamGenerateContent'),
  read: ({ text: sent, headers, path }, native) => {
    const body = inCamelCase(sent);
    const noted = complaints();
    const { expect } = noted;
    expect(
      upstreamKeys.some((key) => headers['x-goog-api-key'] === key),
      'the key is not the channel’s',
    );
    expect(
      path.endsWith(':generateContent') || /[?&]alt=sse\b/.test(path),
      'the stream is not asked for as SSE',
    );
    if (!native) noted.only(body, known, 'the body');
    checkConfig(body, noted);
    checkBuiltins(body, noted);
    const contents = recordsOf(body['contents']);
    expect(contents[0]?.['role'] === 'user', 'the first content is not the user’s');
    for (const content of contents) {
      expect(
        ['user', 'model'].includes(textOf(content['role']) ?? ''),
        `a content of ${String(content['role'])}`,
      );
      expect(recordsOf(content['parts']).length > 0, 'a content without parts');
    }
    const tools = declaredTools(body, noted);
    const results = contents.flatMap((content, index) =>
      resultsAfter(content, contents.slice(index + 1), noted),
    );
    return { tools, parallel: true, results, faults: noted.all };
  },
  writeWhole: (turn) => {
    const candidates = [
      { content: { role: 'model', parts: partsOf(turn) }, index: 0, finishReason: 'STOP' },
    ];
    const head = { modelVersion: geminiWire.model, responseId: `resp-${turn.number}` };
    return { candidates, usageMetadata: usageOf(turn.tokens), ...head };
  },
  write: (turn) => {
    const { number, tokens } = turn;
    const parts = partsOf(turn);
    const chunks = parts.map((part, index) => {
      const finish = index === parts.length - 1 ? { finishReason: 'STOP' } : {};
      const candidates = [{ content: { role: 'model', parts: [part] }, index: 0, ...finish }];
      return {
        candidates,
        usageMetadata: usageOf(tokens),
        modelVersion: geminiWire.model,
        responseId: `resp-${number}`,
      };
    });
    return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('');
  },
};
