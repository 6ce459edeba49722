/** The package tests the hub in a {@link dev.doyen.hub.Stage} and with seeded random runs. */
@NullMarked
package dev.doyen.hub;

import org.jspecify.annotations.NullMarked;
