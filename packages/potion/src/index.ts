/**
 * The static embedding model potion-base-8M, packed for Ashlar.
 *
 * @module ashlar-potion
 */
export { type PotionOptions, potion } from './potion.ts'
