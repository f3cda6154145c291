/** Controls that are loaded when they are needed (docs/rules/console.md#lazy-controls). */
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { loadUntilThere } from '../client/late-part.ts';
import { useSeen } from '../hooks/use-seen.ts';
import classes from './lazy-control.module.css';

const focusable = 'input, textarea, select, [contenteditable="true"], [tabindex="0"]';

interface PlaceholderProps {
  /** Name for screen readers until the control is there. */
  readonly name: string;
  /** Stands above and below the place of the control until it brings its own. */
  readonly frame?: (place: ReactNode) => ReactNode;
  /**
   * Shows the value in place of the placeholder. The control is loaded when this gets the focus,
   * not when it comes into sight.
   */
  readonly standIn?: ReactNode;
}

/**
 * A control that `load` brings. Its placeholder of `height` pixels is in the tab order and hands
 * the focus on.
 */
export function lazyControl<P extends object>(
  load: () => Promise<ComponentType<P>>,
  height: number,
) {
  let loaded: ComponentType<P> | undefined;
  return function LazyControl({
    placeholder,
    ...rest
  }: P & { readonly placeholder: PlaceholderProps }) {
    const box = useRef<HTMLDivElement>(null);
    const hasFocus = useRef(false);
    const isPressed = useRef(false);
    const { name, frame = (place) => place, standIn } = placeholder;
    const seen = useSeen(box);
    const [wanted, setWanted] = useState(false);
    const [, redraw] = useState({});
    const isNeeded = wanted || (seen && standIn === undefined);
    const Control = isNeeded ? loaded : undefined;
    const isShown = Control !== undefined;
    useEffect(() => {
      if (!isNeeded || isShown) return;
      void loadUntilThere(load).then((control) => {
        loaded = control;
        redraw({});
      });
    }, [isNeeded, isShown]);
    useEffect(() => {
      if (!isShown || !hasFocus.current) return;
      hasFocus.current = false;
      const element = box.current?.querySelector<HTMLElement>(focusable);
      element?.focus();
      // The press went to what stood here.
      if (isPressed.current) element?.click();
    }, [isShown]);
    if (Control !== undefined)
      return (
        <div ref={box}>
          <Control {...(rest as unknown as P)} />
        </div>
      );
    const onFocus = () => {
      hasFocus.current = true;
      setWanted(true);
    };
    const onBlur = () => {
      hasFocus.current = false;
      isPressed.current = false;
    };
    if (standIn !== undefined) {
      const onPointerDown = () => {
        isPressed.current = true;
      };
      return <div {...{ ref: box, onFocus, onBlur, onPointerDown }}>{standIn}</div>;
    }
    const state = { role: 'group', 'aria-label': name, 'aria-busy': true };
    const place = (
      <div
        className={classes.place}
        style={{ height }}
        {...{ tabIndex: 0, onFocus, onBlur, ...state }}
      />
    );
    return <div ref={box}>{frame(place)}</div>;
  };
}
