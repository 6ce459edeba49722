/** The package tests the hub on a {@link dev.doyen.hub.Stage}, and with seeded random runs. */
@NullMarked
package dev.doyen.hub;

import org.jspecify.annotations.NullMarked;
