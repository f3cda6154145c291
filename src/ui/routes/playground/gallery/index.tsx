/** What the reader made: images, videos, music, drawings (docs/rules/task-logs.md#gallery). */
import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { toastFailure } from '../../../client/failures.ts';
import { confirmDanger } from '../../../components/confirm-danger.tsx';
import { EmptyState, FailedState, LoadingRows } from '../../../components/states.tsx';
import { usePhone } from '../../../hooks/use-phone.ts';
import { useTranslation } from '../../../i18n/index.ts';
import classes from './gallery.module.css';
import { GalleryCard } from './gallery-card.tsx';
import { type GalleryItem, type GalleryKind, galleryKinds, useGallery } from './use-gallery.ts';

interface GalleryProps {
  /** Brings prompt and settings of an order of images back into the form. */
  readonly onAgain: (item: GalleryItem) => void;
  /** The same, with one of its images to be edited; absent: no model edits images. */
  readonly onEdit: ((item: GalleryItem, image: Blob) => void) | undefined;
}

export function Gallery({ onAgain, onEdit }: GalleryProps) {
  const { t } = useTranslation();
  const phone = usePhone();
  const navigate = useNavigate();
  const [kind, setKind] = useState<GalleryKind>('images');
  const { list, items, remove } = useGallery(kind);
  const edit = async (item: GalleryItem, address: string) => {
    try {
      const reply = await fetch(address);
      if (!reply.ok) throw new Error(`${reply.status}`);
      onEdit?.(item, await reply.blob());
    } catch (error) {
      toastFailure(error, t('playground.image.broken'));
    }
  };
  const again: Partial<Record<GalleryKind, (item: GalleryItem) => void>> = {
    images: onAgain,
    videos: ({ model, group, prompt, input }) =>
      void navigate(
        `/playground/video?${new URLSearchParams({
          model,
          enable_group: JSON.stringify([group || String(input['group'] ?? '')]),
        })}`,
        { state: { prompt, size: input['size'], seconds: input['duration'] } },
      ),
  };
  const ask = (item: GalleryItem) =>
    confirmDanger({
      title: t('playground.gallery.delete.title'),
      text: t('playground.gallery.delete.text'),
      confirm: t('playground.gallery.delete'),
      onConfirm: () => remove.mutate(item),
    });
  return (
    <div className={classes.gallery}>
      <SegmentedControl
        className={classes.kinds}
        size={phone ? 'md' : 'sm'}
        aria-label={t('playground.gallery')}
        value={kind}
        onChange={(value) => setKind(value as GalleryKind)}
        data={galleryKinds.map((value) => ({ value, label: t(`playground.gallery.${value}`) }))}
      />
      {list.error !== null && items.length === 0 && (
        <FailedState
          title={t('playground.gallery.failed')}
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isPending && <LoadingRows rows={3} height={160} />}
      {list.isSuccess && items.length === 0 && (
        <EmptyState
          title={t('playground.gallery.empty')}
          text={t('playground.gallery.empty.text')}
        />
      )}
      <div className={classes.grid}>
        {items.map((item) => {
          const use = again[kind];
          return (
            <GalleryCard
              key={item.id}
              item={item}
              onAgain={use && (() => use(item))}
              onEdit={
                kind === 'images' && onEdit !== undefined
                  ? (address) => void edit(item, address)
                  : undefined
              }
              onRemove={() => ask(item)}
              isBusy={remove.isPending}
            />
          );
        })}
      </div>
      {list.hasNextPage && (
        <Button
          variant="default"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('playground.gallery.more')}
        </Button>
      )}
    </div>
  );
}
