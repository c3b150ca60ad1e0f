import { type Schemas } from '../api/client';

/** Where the difference of two mean steps went, as the API tells it. */
export type Explanation = NonNullable<Schemas['Regression']['explanation']>;
