/** Tests that check the sources, the dependencies and the pages of all modules. */
@NullMarked
package dev.doyen.architecture;

import org.jspecify.annotations.NullMarked;
