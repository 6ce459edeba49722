/** Tests over the whole house. */
@NullMarked
package dev.doyen.architecture;

import org.jspecify.annotations.NullMarked;
