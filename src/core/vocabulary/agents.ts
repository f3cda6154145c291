/**
 * What agents call themselves in their `User-Agent` (docs/rules/tags.md#agents): the name before the
 * first `/`, in lower case. Each with the public page that says so, as it was on that day.
 */
interface KnownAgent {
  readonly name: string;
  readonly products: readonly string[];
  readonly source: string;
  readonly read: string;
}

export const knownAgents: readonly KnownAgent[] = [
  {
    name: 'claude-code',
    products: ['claude-cli'],
    source: 'https://www.npmjs.com/package/@anthropic-ai/claude-code',
    read: '2026-11-28',
  },
  {
    name: 'codex',
    products: ['codex_exec', 'codex-tui', 'codex_cli_rs'],
    source: 'https://github.com/openai/codex',
    read: '2026-11-28',
  },
  {
    name: 'gemini-cli',
    products: ['geminicli', 'geminicli-tui'],
    source: 'https://github.com/google-gemini/gemini-cli',
    read: '2026-11-28',
  },
  {
    name: 'opencode',
    products: ['opencode'],
    source: 'https://github.com/sst/opencode',
    read: '2026-11-28',
  },
];

const byProduct: ReadonlyMap<string, string> = new Map(
  knownAgents.flatMap(({ name, products }) => products.map((product) => [product, name])),
);

const longestProduct = Math.max(...[...byProduct.keys()].map(({ length }) => length));

/** Undefined: it is none that is known. */
export function agentNamed(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined) return undefined;
  const end = userAgent.indexOf('/');
  return end > 0 && end <= longestProduct
    ? byProduct.get(userAgent.slice(0, end).toLowerCase())
    : undefined;
}
