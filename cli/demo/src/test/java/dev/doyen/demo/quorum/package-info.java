/** Tests of the state and the actions of the quorum demonstration. */
@NullMarked
package dev.doyen.demo.quorum;

import org.jspecify.annotations.NullMarked;
