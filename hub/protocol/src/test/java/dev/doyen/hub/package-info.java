/** Tests of the hub: transcripts on a {@link dev.doyen.hub.Stage} and seeded runs. */
@NullMarked
package dev.doyen.hub;

import org.jspecify.annotations.NullMarked;
