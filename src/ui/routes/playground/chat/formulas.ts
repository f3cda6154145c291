/** Draws the formulas in an answer. KaTeX is loaded with the first one. */
import { type RefObject, useLayoutEffect } from 'react';
import { formulaLanguage } from './maths-syntax.ts';

type Katex = typeof import('katex').default;
let katex: Katex | undefined;
let loading: Promise<Katex | undefined> | undefined;

function load(): Promise<Katex | undefined> {
  loading ??= Promise.all([import('katex'), import('katex/dist/katex.min.css')]).then(
    ([module]) => {
      katex = module.default;
      return katex;
    },
    () => {
      // Formulas stay as they are written; the next one tries again.
      loading = undefined;
      return undefined;
    },
  );
  return loading;
}

const selector = Object.values(formulaLanguage)
  .map((language) => `code[lang="${language}"]`)
  .join();

/** After the text is in the page, before it is painted: what was drawn does not flicker. */
export function useFormulas(place: RefObject<HTMLElement | null>, html: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new text has new elements
  useLayoutEffect(() => {
    const found = [...(place.current?.querySelectorAll(selector) ?? [])].map(take);
    if (found.length === 0) return;
    if (katex === undefined) void load().then((loaded) => loaded && draw(found, loaded));
    else draw(found, katex);
  }, [html]);
}

interface FoundFormula {
  readonly element: Element;
  readonly displayMode: boolean;
}

/** Its mark is no language that a screen reader could speak. */
function take(element: Element): FoundFormula {
  const displayMode = element.getAttribute('lang') === formulaLanguage.display;
  element.removeAttribute('lang');
  return { element, displayMode };
}

function draw(formulas: readonly FoundFormula[], { render }: Katex): void {
  for (const { element, displayMode } of formulas) {
    const formula = document.createElement('span');
    try {
      // A formula names no addresses, and macros that call each other end.
      render(element.textContent, formula, {
        displayMode,
        trust: false,
        strict: 'ignore',
        maxExpand: 200,
        maxSize: 50,
      });
    } catch {
      // What TeX does not understand stays as it is written.
      continue;
    }
    element.replaceWith(formula);
    if (!displayMode) continue;
    formula.dataset['formula'] = 'display';
    // What scrolls sideways must scroll by keyboard as well.
    if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
  }
}
