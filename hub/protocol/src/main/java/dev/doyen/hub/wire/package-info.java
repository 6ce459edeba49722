/**
 * Records for the frames of the Ably realtime protocol, and their codec. The formats are JSON and msgpack.
 *
 * <p>The package decides nothing and calls no other package of the hub. A frame that cannot be read ends in a
 * {@link dev.doyen.hub.wire.MalformedFrameException}, whose message is a sentence for the sender. Fields that are
 * absent on the wire are null. Start reading at {@link dev.doyen.hub.wire.FrameCodec}.
 */
@NullMarked
package dev.doyen.hub.wire;

import org.jspecify.annotations.NullMarked;
