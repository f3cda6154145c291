/** Cloudflare Turnstile, drawn by its own script (docs/rules/console.md#human-check). */
import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { currentLanguage } from '../../i18n/index.ts';

/** The part of Turnstile's interface that is used (Cloudflare, "Client-side rendering"). */
interface Turnstile {
  render(
    place: HTMLElement,
    options: {
      readonly sitekey: string;
      readonly theme: 'light' | 'dark';
      readonly language: string;
      readonly size: 'flexible';
      readonly callback: (token: string) => void;
      readonly 'expired-callback': () => void;
      readonly 'error-callback': () => boolean;
    },
  ): string | undefined;
  remove(id: string): void;
}

declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

const address = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';
let loading: Promise<Turnstile> | undefined;

/** The script is loaded once; after a failure the next caller tries again. */
function loadTurnstile(): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () =>
      window.turnstile === undefined
        ? reject(new Error('no Turnstile'))
        : resolve(window.turnstile);
    script.onerror = () => reject(new Error('Turnstile was not loaded'));
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

export interface TurnstileWidgetProps {
  readonly siteKey: string;
  /** A token that the server can verify; '' when the last one has expired. */
  readonly onToken: (token: string) => void;
  readonly onFailure: () => void;
}

export function TurnstileWidget({ siteKey, onToken, onFailure }: TurnstileWidgetProps) {
  const place = useRef<HTMLDivElement>(null);
  const { colorScheme } = useMantineColorScheme();
  const handlers = useRef({ onToken, onFailure });
  handlers.current = { onToken, onFailure };
  useEffect(() => {
    let remove: (() => void) | undefined;
    let isLeft = false;
    loadTurnstile().then(
      (turnstile) => {
        if (isLeft || place.current === null) return;
        const id = turnstile.render(place.current, {
          sitekey: siteKey,
          theme: colorScheme === 'dark' ? 'dark' : 'light',
          language: currentLanguage() === 'zh' ? 'zh-cn' : 'en',
          size: 'flexible',
          callback: (token) => handlers.current.onToken(token),
          'expired-callback': () => handlers.current.onToken(''),
          'error-callback': () => {
            handlers.current.onFailure();
            return true;
          },
        });
        if (id !== undefined) remove = () => turnstile.remove(id);
      },
      () => {
        if (!isLeft) handlers.current.onFailure();
      },
    );
    return () => {
      isLeft = true;
      remove?.();
    };
  }, [siteKey, colorScheme]);
  return <div ref={place} style={{ minHeight: 65 }} />;
}
