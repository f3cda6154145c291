/**
 * The logo of a catalogue entry in its box: the image that its managers chose, else that of the
 * model's maker.
 */
import { useState } from 'react';
import { iconPath } from '../../core/kernel/shown-addresses.ts';
import { shownFile } from '../browser/shown-file.ts';
import classes from './model-logo.module.css';
import { ModelLogo } from './provider-logo.tsx';

interface CatalogLogoProps {
  readonly model: string;
  /**
   * An address of an image, or ''. One that is no such address, or cannot be loaded, is not shown.
   */
  readonly icon: string;
  /** As the catalogue has it. */
  readonly vendor?: string;
  readonly grey?: boolean;
  readonly size?: number;
  /** In a box of 38 px: cards and drawers. */
  readonly boxed?: boolean;
}

export function CatalogLogo({
  model,
  icon,
  vendor = '',
  grey = false,
  size = 22,
  boxed = false,
}: CatalogLogoProps) {
  const [broken, setBroken] = useState('');
  const address = iconAddress(icon);
  const logo =
    address === undefined || broken === address ? (
      <ModelLogo model={model} vendor={vendor} size={size} grey={grey} />
    ) : (
      <img
        className={classes.image}
        data-grey={grey || undefined}
        src={address}
        alt=""
        loading="lazy"
        referrerPolicy="no-referrer"
        style={{ width: size, height: size }}
        onError={() => setBroken(address)}
      />
    );
  return boxed ? <span className={classes.box}>{logo}</span> : logo;
}

/** Icons of other sites come through the gateway. */
function iconAddress(icon: string): string | undefined {
  const file = shownFile(icon);
  return file?.kind === 'foreign' ? `${iconPath}?address=${encodeURIComponent(icon)}` : file?.src;
}
