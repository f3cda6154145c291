/** The image playground (docs/rules/console.md#image-playground). */

import { Button, NativeSelect, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ImagePlus, Images } from 'lucide-react';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router';
import type { CatalogModel } from '../../../../core/contract/model-square.ts';
import { latePart } from '../../../client/late-part.ts';
import { queryClient } from '../../../client/query-client.ts';
import { onOtherLogin, useUser } from '../../../client/session.ts';
import { EmptyState, FailedState, LoadingRows } from '../../../components/states.tsx';
import { useKeptDraft } from '../../../form/kept-draft.ts';
import { useMoney } from '../../../hooks/use-money.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { queryKeys } from '../../../queries/query-keys.ts';
import { ChoiceFields } from '../choice-fields.tsx';
import { useChoices, useLinkedModel, type Wanted } from '../choices.ts';
import { Figures } from '../figures.tsx';
import { PlaygroundFrame } from '../frame.tsx';
import type { GalleryItem } from '../gallery/use-gallery.ts';
import { PromptsButton } from '../prompts/prompts-button.tsx';
import { EditedImage } from './edited-image.tsx';
import classes from './image.module.css';
import { imageBox } from './image-box.ts';
import type { imageCost } from './image-cost.ts';
import { imageOptions, qualityNames } from './image-options.ts';
import { ImageStore } from './image-store.ts';
import { RunView } from './run-view.tsx';

// Its code is loaded when it is opened.
const Gallery = latePart(async () => ({ default: (await import('../gallery/index.tsx')).Gallery }));

/** Of the login of now. */
let known: ImageStore | undefined;
onOtherLogin(() => {
  known?.close();
  known = undefined;
});

function storeOf(userId: number): ImageStore {
  known ??= new ImageStore(
    imageBox(userId),
    () => void queryClient.invalidateQueries({ queryKey: queryKeys.selfAll }),
  );
  return known;
}

/** What computes the price of an order: it is loaded when the reader begins to write one. */
function useImageCost(isWanted: boolean): typeof imageCost | undefined {
  const [cost, setCost] = useState<{ readonly of: typeof imageCost }>();
  useEffect(() => {
    if (!isWanted) return;
    void import('./image-cost.ts').then(
      (module) => setCost({ of: module.imageCost }),
      // The order can be placed all the same.
      () => undefined,
    );
  }, [isWanted]);
  return cost?.of;
}

const editsImages = ({ edits_images }: CatalogModel) => edits_images === true;

export function ImagePlayground() {
  const { t } = useTranslation();
  const store = storeOf(useUser()?.id ?? 0);
  const runs = useSyncExternalStore(store.subscribe, store.runs);
  const [wanted, setWanted] = useState<Wanted & { size: string; quality: string; count: number }>({
    group: '',
    model: '',
    size: '',
    quality: '',
    count: 1,
  });
  const change = (fields: Partial<typeof wanted>) =>
    setWanted((before) => ({ ...before, ...fields }));
  const [source, setSource] = useState<Blob>();
  const choices = useChoices('image', wanted, source === undefined ? undefined : editsImages);
  useLinkedModel(choices.groups, change);
  const [opened, sheet] = useDisclosure(false);
  const [kept = '', keep] = useKeptDraft<string>('prompt');
  const [prompt, setPrompt] = useState(kept);
  keep(prompt);
  const [isMissing, setMissing] = useState(false);
  const [query, setQuery] = useSearchParams();
  const isGallery = query.get('view') === 'gallery';
  const show = (view: string) => setQuery(view === '' ? {} : { view });
  const { model, group, isElsewhere } = choices;
  const options = imageOptions(model);
  const size = options.sizes.find((each) => each === wanted.size) ?? options.sizes[0] ?? '';
  const quality =
    options.qualities.find((each) => each === wanted.quality) ?? options.qualities[0] ?? '';
  const count = Math.min(Math.max(1, wanted.count), options.most);
  const order = {
    model: '',
    group: '',
    prompt,
    size,
    quality,
    count,
    ...(source !== undefined && { source }),
  };
  const { quotaPerUnit, cost } = useMoney();
  const costOf = useImageCost(prompt !== '');
  const estimate =
    model === undefined || group === undefined
      ? undefined
      : costOf?.(model, group.ratio, order, quotaPerUnit);
  const generate = () => {
    if (model === undefined || group === undefined) return;
    setMissing(prompt.trim() === '');
    if (prompt.trim() === '') return;
    void store.generate({ ...order, model: model.model, group: group.name, prompt: prompt.trim() });
  };
  const useAgain = (
    { prompt: before, model: name, group: of, input }: GalleryItem,
    image?: Blob,
  ) => {
    const text = (value: unknown) => (typeof value === 'string' ? value : '');
    change({
      model: name,
      group: of,
      size: text(input['size']),
      quality: text(input['quality']),
      count: Number(input['n'] ?? 1) || 1,
    });
    setPrompt(before);
    setSource(image);
    show('');
  };
  const spent = runs.reduce((sum, run) => sum + (run.quota ?? 0), 0);
  const settings = (
    <>
      <ChoiceFields choices={choices} onChange={change} />
      <NativeSelect
        label={t('playground.image.size')}
        data={options.sizes.map((value) => ({
          value,
          label: value === 'auto' ? t('playground.image.auto') : value.replace('x', ' × '),
        }))}
        value={size}
        onChange={(event) => change({ size: event.currentTarget.value })}
      />
      {options.qualities.length > 0 && (
        <NativeSelect
          label={t('playground.image.quality')}
          data={options.qualities.map((value) => ({
            value,
            label: t(qualityNames[value] ?? 'playground.image.auto'),
          }))}
          value={quality}
          onChange={(event) => change({ quality: event.currentTarget.value })}
        />
      )}
      {options.most > 1 && (
        <NativeSelect
          label={t('playground.image.count')}
          data={Array.from({ length: options.most }, (_, index) => String(index + 1))}
          value={String(count)}
          onChange={(event) => change({ count: Number(event.currentTarget.value) })}
        />
      )}
      <Figures spent={{ label: t('playground.image.spent'), quota: spent }} />
    </>
  );
  return (
    <PlaygroundFrame
      title={t('playground.image.title')}
      choices={choices}
      settings={settings}
      sheet={{ opened, ...sheet }}
      actions={
        <Button
          variant="default"
          className={classes.view}
          leftSection={isGallery ? <ImagePlus size={16} /> : <Images size={16} />}
          onClick={() => show(isGallery ? '' : 'gallery')}
        >
          {t(isGallery ? 'playground.gallery.create' : 'playground.gallery')}
        </Button>
      }
    >
      {isGallery && (
        <div className={classes.scroller}>
          <Suspense fallback={<LoadingRows rows={3} height={160} />}>
            <Gallery
              onAgain={useAgain}
              onEdit={choices.models.some(editsImages) ? useAgain : undefined}
            />
          </Suspense>
        </div>
      )}
      <div className={classes.scroller} hidden={isGallery}>
        {choices.error !== null && (
          <FailedState
            title={t('playground.failed')}
            error={choices.error}
            onRetry={choices.retry}
          />
        )}
        {choices.error === null && !choices.isLoading && model === undefined && (
          <EmptyState
            title={t('playground.noModel')}
            text={
              t('playground.image.noModel.text', { group: group?.name ?? '' }) +
              (isElsewhere ? t('playground.noModel.other') : '')
            }
          />
        )}
        {model !== undefined && (
          <form
            className={classes.form}
            onSubmit={(event) => {
              event.preventDefault();
              generate();
            }}
          >
            <Textarea
              label={t('playground.image.prompt')}
              placeholder={t('playground.image.prompt.placeholder')}
              autosize
              minRows={2}
              maxRows={8}
              value={prompt}
              error={isMissing ? t('playground.image.prompt.missing') : undefined}
              onChange={(event) => {
                setPrompt(event.currentTarget.value);
                setMissing(false);
              }}
            />
            <PromptsButton text={prompt} onChange={setPrompt} />
            <div className={classes.order}>
              <Button type="submit" leftSection={<ImagePlus size={16} />}>
                {t('playground.image.generate')}
              </Button>
              {estimate !== undefined && (
                <span role="status">
                  {t(`playground.image.cost.${estimate.kind}`, { cost: cost(estimate.quota).text })}
                </span>
              )}
            </div>
          </form>
        )}
        {source !== undefined && (
          <EditedImage image={source} onRemove={() => setSource(undefined)} />
        )}
        {model !== undefined && runs.length === 0 && (
          <EmptyState title={t('playground.image.empty')} text={t('playground.image.empty.text')} />
        )}
        {runs.map((run) => (
          <RunView
            key={run.id}
            run={run}
            onAgain={() => void store.generate(run.order)}
            onReuse={() => setPrompt(run.order.prompt)}
            onStop={() => store.stop(run.id)}
            onRemove={() => store.remove(run.id)}
            onChoose={sheet.open}
          />
        ))}
      </div>
    </PlaygroundFrame>
  );
}
