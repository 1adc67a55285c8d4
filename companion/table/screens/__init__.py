"""What the table is at: lobby, placing, battle, end; and what is laid over it: menu, questions, names."""
