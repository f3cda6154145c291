/** Slides a piece into its gap before a code is sent (docs/rules/console.md#slider). */
import { ArrowRight, Check } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import classes from './slider-puzzle.module.css';

/**
 * Pixels: the picture, the piece, and the positions of the piece that pass, the last one excluded.
 */
const picture = { width: 300, height: 220 } as const;
const piece = { size: 48, top: 86 } as const;
const gap = { from: 208, to: 224, at: 216 } as const;
const furthest = picture.width - piece.size;
const step = 2;
const wideStep = 20;

const isInGap = (position: number): boolean => position >= gap.from && position < gap.to;

/** The keys of a slider (ARIA Authoring Practices, slider). */
const moves: Readonly<Record<string, (position: number) => number>> = {
  ArrowRight: (position) => position + step,
  ArrowUp: (position) => position + step,
  ArrowLeft: (position) => position - step,
  ArrowDown: (position) => position - step,
  PageUp: (position) => position + wideStep,
  PageDown: (position) => position - wideStep,
  Home: () => 0,
  End: () => furthest,
};

export function SliderPuzzle({ onPass }: { readonly onPass: () => void }) {
  const { t } = useTranslation();
  const [position, setPosition] = useState(0);
  const [outcome, setOutcome] = useState<'passed' | 'failed'>();
  const grabbedAt = useRef<number>(undefined);
  const moveTo = (next: number) => {
    if (outcome === 'passed') return;
    setOutcome(undefined);
    setPosition(Math.min(furthest, Math.max(0, next)));
  };
  const finish = () => {
    if (outcome === 'passed') return;
    if (isInGap(position)) {
      setOutcome('passed');
      onPass();
    } else {
      setOutcome('failed');
      setPosition(0);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key];
    if (move === undefined && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (move === undefined) finish();
    else moveTo(move(position));
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    grabbedAt.current = event.clientX - position;
  };
  const onPointerMove = (event: PointerEvent) => {
    if (grabbedAt.current !== undefined) moveTo(Math.round(event.clientX - grabbedAt.current));
  };
  const onPointerUp = () => {
    if (grabbedAt.current === undefined) return;
    grabbedAt.current = undefined;
    finish();
  };
  const distance = gap.at - position;
  const where = isInGap(position)
    ? t('slider.here')
    : t(distance > 0 ? 'slider.right' : 'slider.left', { pixels: Math.abs(distance) });
  return (
    <div className={classes.puzzle} data-outcome={outcome}>
      <svg
        className={classes.picture}
        viewBox={`0 0 ${picture.width} ${picture.height}`}
        aria-hidden="true"
        focusable="false"
      >
        <defs>
          <clipPath id="slider-piece">
            <rect x={gap.at} y={piece.top} width={piece.size} height={piece.size} rx="6" />
          </clipPath>
        </defs>
        <Scenery />
        <rect
          className={classes.gap}
          x={gap.at}
          y={piece.top}
          width={piece.size}
          height={piece.size}
          rx="6"
        />
        <g transform={`translate(${position - gap.at} 0)`}>
          <g clipPath="url(#slider-piece)">
            <Scenery />
          </g>
          <rect
            className={classes.piece}
            x={gap.at}
            y={piece.top}
            width={piece.size}
            height={piece.size}
            rx="6"
          />
        </g>
      </svg>
      <div className={classes.track}>
        <span className={classes.hint}>{t('slider.hint')}</span>
        <div
          className={classes.handle}
          style={{ transform: `translateX(${position}px)` }}
          role="slider"
          tabIndex={0}
          data-autofocus
          aria-label={t('slider.label')}
          aria-valuemin={0}
          aria-valuemax={furthest}
          aria-valuenow={position}
          aria-valuetext={where}
          onKeyDown={onKeyDown}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={onPointerUp}
        >
          {outcome === 'passed' ? (
            <Check size={18} aria-hidden="true" />
          ) : (
            <ArrowRight size={18} aria-hidden="true" />
          )}
        </div>
      </div>
      <p className={classes.outcome} role="status">
        {outcome === 'passed'
          ? t('slider.passed')
          : outcome === 'failed'
            ? t('slider.failed')
            : t('slider.keys')}
      </p>
    </div>
  );
}

/** A road that forks, as on the sign of the login page. */
function Scenery() {
  return (
    <>
      <rect width={picture.width} height={picture.height} fill="#CFE3EA" />
      <circle cx="250" cy="44" r="20" fill="#F6D48A" />
      <path d="M0 120 60 70 118 112 176 58 240 110 300 78V220H0Z" fill="#7FA99B" />
      <path d="M0 150 80 116 160 148 226 112 300 140V220H0Z" fill="#3F7F68" />
      <path
        d="M118 220C124 176 150 150 206 138 244 130 270 122 300 104"
        fill="none"
        stroke="#E9EEF0"
        strokeWidth="26"
      />
      <path
        d="M118 220C124 176 150 150 206 138 244 130 270 122 300 104"
        fill="none"
        stroke="#51626B"
        strokeWidth="20"
      />
      <path
        d="M118 220C124 176 150 150 206 138 244 130 270 122 300 104"
        fill="none"
        stroke="#fff"
        strokeWidth="2"
        strokeDasharray="10 8"
      />
      <path d="M240 96v44" stroke="#51626B" strokeWidth="4" />
      <rect
        x="222"
        y="92"
        width="38"
        height="22"
        rx="3"
        fill="#00674F"
        stroke="#fff"
        strokeWidth="1.5"
      />
      <path d="M230 103h16m-6-5 6 5-6 5" fill="none" stroke="#fff" strokeWidth="2.5" />
      <path
        d="M40 168v-22m-9 22c0-16 4-26 9-34 5 8 9 18 9 34Z"
        fill="#2A5E4C"
        stroke="#2A5E4C"
        strokeWidth="3"
      />
      <path
        d="M74 186v-22m-9 22c0-16 4-26 9-34 5 8 9 18 9 34Z"
        fill="#2A5E4C"
        stroke="#2A5E4C"
        strokeWidth="3"
      />
    </>
  );
}
