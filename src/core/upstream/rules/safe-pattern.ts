/** Regular expressions that administrators write and callers' texts are searched with. */

/**
 * Undefined for what is no pattern and for one that can take exponential time: a repeated group that itself repeats or
 * chooses. Callers decide what is searched, so such a pattern would let one text stop the process.
 */
export function compilePattern(text: string, flags: string): RegExp | undefined {
  if (mayExplode(text)) return undefined;
  try {
    return new RegExp(text, flags);
  } catch {
    return undefined;
  }
}

const unbounded = /^(?:[*+]|\{\d+,\})/;

function mayExplode(text: string): boolean {
  /** For every open group, whether it holds a repetition or a choice. */
  const open: boolean[] = [];
  for (let i = 0; i < text.length; i++) {
    const rest = text.slice(i);
    if (text[i] === '\\') i += 1;
    else if (text[i] === '[') i = endOfClass(text, i);
    else if (text[i] === '(') open.push(false);
    else if (text[i] === ')') {
      const risky = open.pop() ?? false;
      const repeated = unbounded.test(text.slice(i + 1));
      if (risky && repeated) return true;
      if ((risky || repeated) && open.length > 0) open[open.length - 1] = true;
    } else if ((text[i] === '|' || unbounded.test(rest)) && open.length > 0) open[open.length - 1] = true;
  }
  return false;
}

function endOfClass(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === ']') return i;
  }
  return text.length;
}
