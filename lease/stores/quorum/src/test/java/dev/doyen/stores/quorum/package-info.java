/** Tests the quorum store: single classes, and members in memory, on disk and as processes. */
@NullMarked
package dev.doyen.stores.quorum;

import org.jspecify.annotations.NullMarked;
