/** The generation of a model, as its name says it. */

/** How the names of one maker's models are read. */
interface NamingScheme {
  readonly starts: string;
  /** The number may come later: `claude-opus-5-5`. Else it follows at once: `gpt-5.6-sol`. */
  readonly anywhere?: true;
  /** Names without a number count as the newest: `gemini-flash-latest`. */
  readonly unnumbered?: 'newest';
}

/** Longer beginnings before the ones they begin with. */
const schemes: readonly NamingScheme[] = [
  { starts: 'claude', anywhere: true, unnumbered: 'newest' },
  { starts: 'gemini-', unnumbered: 'newest' },
  { starts: 'gpt-' },
  { starts: 'o' },
  { starts: 'grok-' },
  { starts: 'deepseek-' },
  { starts: 'kimi-' },
  { starts: 'glm-' },
  { starts: 'doubao-seed-' },
  { starts: 'qwen' },
  { starts: 'minimax-' },
  { starts: 'mistral-large-' },
  { starts: 'mistral-medium-' },
];

const following = /^[a-z]?(\d{1,2}(?:\.\d{1,2})?)(?=[-@:]|$)/;
const anywhere = /-(\d{1,2})(?:[-.](\d{1,2}))?(?=[-.@:]|$)/;

/**
 * 5.6 of `gpt-5.6-sol`, 5.5 of `claude-opus-5-5`, 4 of `claude-opus-4-20250514`; Infinity where a
 * name without a number is the newest; undefined where nothing is known of the name. Lower case.
 */
export function generationOf(name: string): number | undefined {
  const scheme = schemes.find(({ starts }) => name.startsWith(starts));
  if (scheme === undefined) return undefined;
  const rest = name.slice(scheme.starts.length);
  const match = scheme.anywhere === true ? anywhere.exec(rest) : following.exec(rest);
  if (match === null) return scheme.unnumbered === 'newest' ? Number.POSITIVE_INFINITY : undefined;
  return Number(match[2] === undefined ? match[1] : `${match[1]}.${match[2]}`);
}
