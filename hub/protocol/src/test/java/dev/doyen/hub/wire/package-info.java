/** The package tests the wire records and the codec. */
@NullMarked
package dev.doyen.hub.wire;

import org.jspecify.annotations.NullMarked;
