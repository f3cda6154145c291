/**
 * Dify folds a model's thinking into `<details>` for its own pages; others read `<think>`
 * (docs/rules/providers.md#dify-replies).
 */
const fold = '<details';
const closing = '</details>';
const opening = /^<details[^>]*>\s*<summary>\s*Thinking(?:\.{3}|…)\s*<\/summary>/;
const summaryEnd = '</summary>';
/**
 * The most characters of the mark: a `<details>` whose summary is further away is the model's own.
 */
const longestMark = 1000;

/** Whether a text that is cut off here may still become the mark. */
function mayBecome(text: string, mark: string): boolean {
  return text.length < mark.length ? mark.startsWith(text) : text.startsWith(mark);
}

/**
 * Puts the marks into a text that comes in pieces; holds back only what may be the beginning of
 * one.
 */
export class ThinkMarks {
  #held = '';
  #open = false;

  push(piece: string): string {
    let rest = this.#held + piece;
    let text = '';
    for (let at = rest.indexOf('<'); at !== -1; at = rest.indexOf('<')) {
      text += rest.slice(0, at);
      rest = rest.slice(at);
      const mark = this.#open
        ? /^<\/details>/.exec(rest)
        : opening.exec(rest.slice(0, longestMark));
      if (mark !== null) {
        text += this.#open ? '</think>' : '<think>';
        this.#open = !this.#open;
        rest = rest.slice(mark[0].length);
      } else if (this.#undecided(rest)) {
        this.#held = rest;
        return text;
      } else {
        text += '<';
        rest = rest.slice(1);
      }
    }
    this.#held = '';
    return text + rest;
  }

  /** What is still held back. */
  end(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  #undecided(rest: string): boolean {
    if (this.#open) return mayBecome(rest, closing);
    return mayBecome(rest, fold) && rest.length < longestMark && !rest.includes(summaryEnd);
  }
}
