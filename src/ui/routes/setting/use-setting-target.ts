/**
 * The panel or option that the address names, as `/setting?tab=system#SMTPServer`
 * (docs/rules/console.md#settings-screen).
 */
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { panelOfHash, targetOfHash } from '../../browser/setting-address.ts';

const focusable = 'input:not([type="hidden"]), textarea, [tabindex="0"]';

/** How long controls that are still loading may move the target, ms. */
const settleMs = 1500;

/**
 * Scrolls to what the fragment names, again each time the link is followed, and gives a named
 * option the focus.
 */
export function useSettingTarget(): void {
  // The key is another for each navigation, also to the same place.
  const { hash, key } = useLocation();
  useEffect(() => {
    const target =
      key === '' || hash === ''
        ? null
        : // What is loaded with its section, such as prices, is reached from there.
          (document.getElementById(targetOfHash(hash)) ??
          document.getElementById(panelOfHash(hash) ?? ''));
    if (target === null) return;
    const isOption = target.tagName !== 'SECTION';
    const reach = () => target.scrollIntoView({ block: isOption ? 'center' : 'start' });
    reach();
    if (isOption) {
      target.querySelector<HTMLElement>(focusable)?.focus({ preventScroll: true });
      target.dataset['target'] = 'true';
    }
    // Controls above it take their size when they have been loaded.
    const observer = new ResizeObserver(reach);
    if (target.parentElement !== null)
      observer.observe(document.getElementById('content')?.firstElementChild ?? document.body);
    const stop = () => observer.disconnect();
    const timer = window.setTimeout(stop, settleMs);
    for (const act of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
      window.addEventListener(act, stop, { once: true });
    return () => {
      stop();
      window.clearTimeout(timer);
      delete target.dataset['target'];
      for (const act of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
        window.removeEventListener(act, stop);
    };
  }, [hash, key]);
}
