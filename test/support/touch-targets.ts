import type { Page } from 'playwright-core';

/** Links within a sentence may be smaller (docs/rules/console.md#shell). */
const tapped =
  'a[href], button, input:not([type="hidden"]), textarea, select, summary, [role="tab"], [role="menuitem"], [role="option"]';

/**
 * What is shown and can be tapped, but on less than 44 px in one direction, as `name width×height`.
 * The area is measured by hitting it, so that labels and enlarged areas count, and what lies over
 * it does not.
 */
export async function smallTargets(page: Page, within = 'body'): Promise<readonly string[]> {
  return page.locator(within).evaluateAll((roots, selector) => {
    const least = 44;
    const hits = (target: Element, x: number, y: number): boolean => {
      const hit = document.elementFromPoint(x, y);
      if (hit === null) return false;
      if (target.contains(hit)) return true;
      const label = hit.closest('label');
      if (label !== null && (label as HTMLLabelElement).control === target) return true;
      // A field's frame, icon and padding focus it.
      return (
        target.matches('input, textarea') &&
        (hit.closest('[data-touch-field], .mantine-Input-wrapper')?.contains(target) ?? false)
      );
    };
    /** Pixels from one end to the other, counted up to what is enough. */
    const reach = (target: Element, x: number, y: number, dx: number, dy: number): number => {
      let size = 1;
      for (const sign of [-1, 1])
        for (
          let step = sign;
          size < least && hits(target, x + dx * step, y + dy * step);
          step += sign
        )
          size += 1;
      return size;
    };
    const inSentence = (target: Element): boolean =>
      target.matches('a') &&
      getComputedStyle(target).display === 'inline' &&
      target.parentElement?.textContent !== target.textContent;
    const found: string[] = [];
    for (const target of roots.flatMap((root) => [...root.querySelectorAll(selector)])) {
      if (
        !target.checkVisibility({ visibilityProperty: true, opacityProperty: false }) ||
        target.matches(':disabled')
      )
        continue;
      if (inSentence(target)) continue;
      target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const box = target.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      if (!hits(target, x, y)) continue;
      const width = reach(target, x, y, 1, 0);
      const height = reach(target, x, y, 0, 1);
      // A hit is counted at whole pixels, which loses up to one at each end.
      if (width >= least - 1 && height >= least - 1) continue;
      const name =
        target.getAttribute('aria-label') ?? target.textContent?.trim().slice(0, 40) ?? '';
      found.push(`${target.tagName.toLowerCase()} "${name}" ${width}×${height}`);
    }
    return found;
  }, tapped);
}
