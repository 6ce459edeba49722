/** Tests of the quorum store: members in memory, and members as processes. */
@NullMarked
package dev.doyen.stores.quorum;

import org.jspecify.annotations.NullMarked;
