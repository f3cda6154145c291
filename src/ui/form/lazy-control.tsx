/** Controls that are loaded when they come near the visible part of the page, or get the focus (docs/rules/console.md#lazy-controls). */
import { Skeleton } from '@mantine/core';
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { useSeen } from '../hooks/use-seen.ts';

const focusable = 'input, textarea, select, [contenteditable="true"], [tabindex="0"]';

interface PlaceholderProps {
  /** Name for screen readers until the control is there. */
  readonly name: string;
  /** Stands above and below the place of the control until it brings its own. */
  readonly frame?: (place: ReactNode) => ReactNode;
}

/** A control that `load` brings. Its placeholder of `height` pixels is in the tab order and hands the focus on. */
export function lazyControl<P extends object>(load: () => Promise<ComponentType<P>>, height: number) {
  let loaded: ComponentType<P> | undefined;
  return function LazyControl({ placeholder, ...rest }: P & { readonly placeholder: PlaceholderProps }) {
    const box = useRef<HTMLDivElement>(null);
    const hasFocus = useRef(false);
    const seen = useSeen(box);
    const [wanted, setWanted] = useState(false);
    const [failure, setFailure] = useState<unknown>();
    const [, redraw] = useState({});
    const isNeeded = seen || wanted;
    const Control = isNeeded ? loaded : undefined;
    const isShown = Control !== undefined;
    useEffect(() => {
      if (!isNeeded || isShown) return;
      load().then((control) => {
        loaded = control;
        redraw({});
      }, setFailure);
    }, [isNeeded, isShown]);
    useEffect(() => {
      if (!isShown || !hasFocus.current) return;
      hasFocus.current = false;
      box.current?.querySelector<HTMLElement>(focusable)?.focus();
    }, [isShown]);
    // The screen's error boundary offers to load again.
    if (failure !== undefined) throw failure;
    if (Control !== undefined)
      return (
        <div ref={box}>
          <Control {...(rest as unknown as P)} />
        </div>
      );
    const { name, frame = (place) => place } = placeholder;
    const place = (
      <Skeleton
        {...{ height, radius: 8, tabIndex: 0, role: 'group', 'aria-label': name, 'aria-busy': true }}
        onFocus={() => {
          hasFocus.current = true;
          setWanted(true);
        }}
        onBlur={() => {
          hasFocus.current = false;
        }}
      />
    );
    return <div ref={box}>{frame(place)}</div>;
  };
}
