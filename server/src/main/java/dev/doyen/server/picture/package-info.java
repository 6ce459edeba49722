/**
 * Records an election on a ring for the page that shows it. The members are shipped ring machines; the network between
 * them, the membership and what goes wrong are a small world without a clock, in which the same plan gives the same
 * recording. Nothing here reads a clock, starts a thread or does I/O.
 *
 * <p>Entry types: {@code PicturePlan}, what is to be shown; {@code RecordedWorld}, which runs it; {@code RecordingJson}.
 */
@NullMarked
package dev.doyen.server.picture;

import org.jspecify.annotations.NullMarked;
