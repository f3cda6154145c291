/**
 * Parts of a screen that are loaded when they are first shown: a drawer, a dialog, a panel. One that
 * does not come is tried again; the screen and what was typed on it stay
 * (docs/rules/console.md#failures).
 */
import { notifications } from '@mantine/notifications';
import { lazy } from 'react';
import { loadStylesAgain } from '../browser/late-styles.ts';
import { translate } from '../i18n/index.ts';
import { client } from './api.ts';
import { whenReached } from './connection.ts';

/** The one message about parts that did not come, however many they are. */
const messageId = 'late-part';
/** Milliseconds until a missing file is requested again from a server that answers, and at most. */
const firstWait = 3000;
const longestWait = 60_000;

let missing = 0;

function say(key: 'late.part' | 'late.text'): void {
  const message = { id: messageId, message: translate(key), color: 'red', role: 'alert' };
  notifications.hide(messageId);
  notifications.show({ ...message, autoClose: false });
}

/** What `load` brings, however many attempts it takes. */
export async function loadUntilThere<T>(load: () => Promise<T>): Promise<T> {
  let waited = 0;
  for (let failures = 0; ; failures += 1) {
    try {
      const [part] = await Promise.all([load(), loadStylesAgain()]);
      if (failures > 0) {
        missing -= 1;
        if (missing === 0) notifications.hide(messageId);
      }
      return part;
    } catch {
      if (failures === 0) missing += 1;
    }
    const isReached = await client.system.status().then(
      () => true,
      () => false,
    );
    if (!isReached) {
      say('late.part');
      await whenReached();
      waited = 0;
    } else if (failures > 0) {
      // The server answers, but has not got the file: most likely it is of another build by now.
      if (waited === 0) say('late.text');
      waited = Math.min(longestWait, Math.max(firstWait, waited * 2));
      await new Promise((resolve) => window.setTimeout(resolve, waited));
    }
  }
}

/** React's `lazy` for a part whose file may fail to load. Nothing is shown in its place. */
export const latePart: typeof lazy = (load) => lazy(() => loadUntilThere(load));
