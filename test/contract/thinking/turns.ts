/** The turns of a conversation as a vendor reads them from a request of its wire. */
import {
  type Loose,
  listOf,
  recordOf,
  recordsOf,
  textOf,
} from '../../../src/core/canonical/kit/read-json.ts';

/** An answer of the model, as it comes back. */
export interface Returned {
  readonly thought: string;
  readonly signatures: readonly string[];
  /** Ids of its calls, and those of them that the following turns answer. */
  readonly calls: readonly string[];
  readonly answered: readonly string[];
  /** What its first part is. */
  readonly begins: 'thought' | 'text' | 'call' | 'nothing';
}

export interface Conversation {
  readonly turns: readonly Returned[];
  /** The texts of the user, in order. */
  readonly questions: readonly string[];
  /** The last turn is results of tools. */
  readonly inLoop: boolean;
}

/** One thing in a conversation, in order. */
type Item =
  | { readonly of: 'user'; readonly text: string }
  | { readonly of: 'result'; readonly id: string }
  /** Where a new assistant's turn begins although none has come between. */
  | { readonly of: 'assistant' }
  | { readonly of: 'thought'; readonly text: string; readonly signature?: string }
  | { readonly of: 'text'; readonly signature?: string }
  | { readonly of: 'call'; readonly id: string; readonly signature?: string };

interface Open {
  thought: string;
  signatures: string[];
  calls: string[];
  answered: string[];
  begins: Returned['begins'];
}

function fold(items: readonly Item[]): Conversation {
  const turns: Open[] = [];
  const questions: string[] = [];
  let isOpen = false;
  const open = () => {
    const turn: Open = { thought: '', signatures: [], calls: [], answered: [], begins: 'nothing' };
    turns.push(turn);
    isOpen = true;
    return turn;
  };
  for (const item of items) {
    if (item.of === 'user') questions.push(item.text);
    else if (item.of === 'result') turns.at(-1)?.answered.push(item.id);
    else if (item.of === 'assistant') open();
    else {
      const turn = isOpen ? (turns.at(-1) ?? open()) : open();
      if (turn.begins === 'nothing') turn.begins = item.of;
      if (item.of === 'thought') turn.thought += item.text;
      if (item.of === 'call') turn.calls.push(item.id);
      if (item.signature !== undefined) turn.signatures.push(item.signature);
    }
    if (item.of === 'user' || item.of === 'result') isOpen = false;
  }
  return { turns, questions, inLoop: items.at(-1)?.of === 'result' };
}

const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : recordsOf(content)
        .map((part) => textOf(part['text']) ?? '')
        .join('');

function signed<T extends object>(item: T, signature: unknown): T & { signature?: string } {
  const text = textOf(signature);
  return text === undefined ? item : { ...item, signature: text };
}

function itemOfBlock(block: Loose): Item[] {
  switch (block['type']) {
    case 'thinking':
      return [signed({ of: 'thought', text: textOf(block['thinking']) ?? '' }, block['signature'])];
    case 'tool_use':
      return [{ of: 'call', id: textOf(block['id']) ?? '' }];
    case 'tool_result':
      return [{ of: 'result', id: textOf(block['tool_use_id']) ?? '' }];
    default:
      return [{ of: 'text' }];
  }
}

/** Anthropic's messages. */
export function turnsOfMessages(body: Loose): Conversation {
  const items = recordsOf(body['messages']).flatMap(({ role, content }): Item[] => {
    const found = typeof content === 'string' ? [] : recordsOf(content).flatMap(itemOfBlock);
    if (role === 'assistant') return [{ of: 'assistant' }, ...found];
    const results = found.filter(({ of }) => of === 'result');
    const text = textIn(content);
    return text === '' ? results : [...results, { of: 'user', text }];
  });
  return fold(items);
}

export function turnsOfConverse(body: Loose): Conversation {
  const items = recordsOf(body['messages']).flatMap(({ role, content }): Item[] => {
    const found = recordsOf(content).flatMap((block): Item[] => {
      const thinking = recordOf(recordOf(block['reasoningContent'])?.['reasoningText']);
      const use = recordOf(block['toolUse']);
      const result = recordOf(block['toolResult']);
      if (thinking !== undefined)
        return [
          signed({ of: 'thought', text: textOf(thinking['text']) ?? '' }, thinking['signature']),
        ];
      if (use !== undefined) return [{ of: 'call', id: textOf(use['toolUseId']) ?? '' }];
      if (result !== undefined) return [{ of: 'result', id: textOf(result['toolUseId']) ?? '' }];
      const text = textOf(block['text']) ?? '';
      return role === 'user' ? [{ of: 'user', text }] : [{ of: 'text' }];
    });
    return role === 'assistant' ? [{ of: 'assistant' }, ...found] : found;
  });
  return fold(items);
}

export function turnsOfChat(body: Loose): Conversation {
  const items = recordsOf(body['messages']).flatMap((message): Item[] => {
    if (message['role'] === 'user') return [{ of: 'user', text: textIn(message['content']) }];
    if (message['role'] === 'tool')
      return [{ of: 'result', id: textOf(message['tool_call_id']) ?? '' }];
    if (message['role'] !== 'assistant') return [];
    const thought = textOf(message['reasoning_content']);
    return [
      { of: 'assistant' },
      ...(thought === undefined ? [] : [{ of: 'thought', text: thought } as const]),
      ...(textIn(message['content']) === '' ? [] : [{ of: 'text' } as const]),
      ...recordsOf(message['tool_calls']).map(
        ({ id }): Item => ({ of: 'call', id: textOf(id) ?? '' }),
      ),
    ];
  });
  return fold(items);
}

/** Google's own ids are optional: a call is named by its arguments. */
const idOfCall = (call: Loose | undefined) =>
  textOf(recordOf(call?.['args'])?.['at']) ?? textOf(call?.['id']) ?? '';

export function turnsOfGemini(body: Loose): Conversation {
  const contents = recordsOf(body['contents']);
  let before: unknown;
  const open: string[] = [];
  const items = contents.flatMap(({ role, parts }): Item[] => {
    const found = recordsOf(parts).flatMap((part): Item[] => {
      const call = recordOf(part['functionCall']);
      const response = recordOf(part['functionResponse']);
      const signature = part['thoughtSignature'];
      if (response !== undefined) return [{ of: 'result', id: open.shift() ?? '' }];
      if (call !== undefined) {
        open.push(idOfCall(call));
        return [signed({ of: 'call', id: idOfCall(call) }, signature)];
      }
      const text = textOf(part['text']) ?? '';
      if (role === 'user') return [{ of: 'user', text }];
      return [
        signed(part['thought'] === true ? { of: 'thought', text } : { of: 'text' }, signature),
      ];
    });
    const begins = role === 'model' && before !== 'model';
    before = role;
    return begins ? [{ of: 'assistant' }, ...found] : found;
  });
  return fold(items);
}

/** The items of earlier responses that the vendor stores are given first. */
export function turnsOfResponses(body: Loose, stored: readonly Loose[]): Conversation {
  const given = body['input'];
  const input = typeof given === 'string' ? [{ role: 'user', content: given }] : listOf(given);
  const items = [...stored, ...recordsOf(input)].flatMap((item): Item[] => {
    switch (item['type']) {
      case 'reasoning': {
        const text = recordsOf(item['summary'])
          .map((part) => textOf(part['text']) ?? '')
          .join('');
        return [signed({ of: 'thought', text }, item['encrypted_content'])];
      }
      case 'function_call':
        return [{ of: 'call', id: textOf(item['call_id']) ?? '' }];
      case 'function_call_output':
        return [{ of: 'result', id: textOf(item['call_id']) ?? '' }];
      default:
        return item['role'] === 'assistant'
          ? [{ of: 'text' }]
          : [{ of: 'user', text: textIn(item['content']) }];
    }
  });
  return fold(items);
}
