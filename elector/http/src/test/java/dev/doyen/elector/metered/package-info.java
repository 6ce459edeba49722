@NullMarked
package dev.doyen.elector.metered;

import org.jspecify.annotations.NullMarked;
