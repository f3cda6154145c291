import { describe, expect, it } from 'vitest';
import {
  anchorProblems,
  anchorsIn,
  brokenCitations,
  outsideCitations,
  remarksIn,
} from '../../scripts/check-citations.ts';

const page = '<a id="debt"></a>\n### Debts\n\n<a id="one-way"></a>\n### One way\n';
const pages = new Map([['ledger.md', new Set(anchorsIn(page))]]);

describe('anchors of a page', () => {
  it('are those on a line of their own', () => {
    expect(anchorsIn(`${page}Write \`<a id="name"></a>\`.\n`)).toEqual(['debt', 'one-way']);
  });

  it('are unique and in kebab case', () => {
    expect(anchorProblems({ file: 'docs/rules/ledger.md', text: page })).toEqual([]);
    expect(
      anchorProblems({ file: 'a.md', text: `${page}<a id="debt"></a>\n<a id="Big_One"></a>\n` }),
    ).toEqual(['a.md: #debt is defined 2 times', 'a.md: #Big_One is not in kebab case']);
  });
});

describe('citations of rules', () => {
  const check = (text: string, file = 'src/a.ts') => brokenCitations({ file, text }, pages);

  it('must name an anchor or a page that exists', () => {
    expect(check('/** See docs/rules/ledger.md#debt and docs/rules/ledger.md. */')).toEqual([]);
    expect(check('\n// docs/rules/ledger.md#gone')).toEqual([
      'src/a.ts:2: ledger.md#gone does not exist',
    ]);
    expect(check('// docs/rules/none.md')).toEqual(['src/a.ts:1: none.md does not exist']);
  });

  it('are links too, between the pages', () => {
    expect(check('[debts](ledger.md#debt)', 'docs/rules/relay.md')).toEqual([]);
    expect(check('[debts](ledger.md#gone)', 'docs/rules/relay.md')).toHaveLength(1);
    expect(check('[options](options.md#x)', 'docs/operate.md')).toEqual([]);
  });
});

describe('comments and titles of tests', () => {
  it('are found with their lines', () => {
    const text = "const a = 'https://x'; // one\n/** two\n * three */\ndescribe('four', () => {";
    expect(remarksIn(text).map(({ line }) => line)).toEqual([1, 2, 4]);
  });

  it.each([
    '/** Retries (spec, relay 7). */',
    '/** Broken across lines (spec,\n * relay 7). */',
    '// design, product 3',
    '// seed, administration 5',
    '/** The family adopts it [L]. */',
    '/** Secrets (console-api 6.3). */',
    '// token limits (relay 8)',
    '/** Over a five-minute one (spec, billing 2: × 1.6). */',
    '/** The table of providers-international 4.0. */',
    '/** What the spec says. */',
    '/** By the rules of billing.md 2 a name. */',
    '/** Where the seed fixes the text. */',
    "describe('exit codes (product 8)', () => {",
  ])('may not cite what readers do not have: %s', (text) => {
    expect(outsideCitations({ file: 'src/a.ts', text })).toHaveLength(1);
  });

  it.each([
    '/** docs/rules/routing.md#retry-statuses */',
    '// RFC 9110, section 10.2.3',
    '/** The relay answers 404 itself. */',
    'const text = `spec, relay 7`;',
    '// The design of the seam: one folder per vendor.',
    '/** Which of a list [a, b] is first. */',
    '/** Prints the seed that repeats a random case. */',
    "it('counts 8 relays', () => {",
  ])('may say %s', (text) => {
    expect(outsideCitations({ file: 'src/a.ts', text })).toEqual([]);
  });
});
