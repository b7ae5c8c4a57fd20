import { FormData } from 'undici';
import { assertNever } from '../../domain/assert-never';
import type { Api, ApiBody } from '../api';
import type { ListingImage, Marketplace } from '../marketplace';
import { base64ImageSchema, urlImagesSchema } from '../schemas/images';
import type { MarketplaceSettings } from '../settings';

type ImageSettings = Pick<MarketplaceSettings, 'imagePayload' | 'imageField'>;

/** The contract does not show the upload's payload: a multipart field `file`, unless the account's settings differ. */
function toImageBody(image: ListingImage, { imagePayload, imageField }: ImageSettings): ApiBody {
  const { fileName, contentType, bytes } = image;
  switch (imagePayload) {
    case 'multipart': {
      const form = new FormData();
      form.append(imageField ?? 'file', new Blob([Uint8Array.from(bytes)], { type: contentType }), fileName);
      return { kind: 'multipart', form };
    }
    case 'base64': {
      const field = imageField ?? 'content';
      const value = { fileName, contentType, [field]: Buffer.from(bytes).toString('base64') };
      return { kind: 'json', schema: base64ImageSchema(field), value };
    }
    case 'url': {
      const field = imageField ?? 'urls';
      const urls = image.url === undefined ? [] : [image.url];
      return { kind: 'json', schema: urlImagesSchema(field), value: { [field]: urls } };
    }
    default:
      return assertNever(imagePayload);
  }
}

/** Contract: `POST /v2/listings/{listingid}/images`; any 2xx is success. */
export function createImageCalls(api: Api, settings: ImageSettings): Pick<Marketplace, 'uploadListingImage'> {
  return {
    async uploadListingImage(image, call) {
      await api.call(
        {
          operation: 'uploadListingImage',
          method: 'POST',
          path: '/v2/listings/{listingId}/images',
          params: { listingId: image.listingId },
          body: toImageBody(image, settings),
        },
        call,
      );
    },
  };
}
